import { Choice, Flag, Instant, Integer, OwnedRecord, RecordOf, Text } from '@commerce/records';

/** A clock that stands still until it is advanced. Its users and their records live in its time. */
@RecordOf({
  collection: 'test_clocks',
  noun: 'test_clock',
  cls: 'TestClock',
  touched: 'updated',
  deleted: 'deleted',
  list: { sorts: ['created', 'updated', 'name'] },
  indexes: [{ fields: { status: 1, run_at: 1 } }, { fields: { company: 1, status: 1, run_at: 1 } }],
})
export class TestClockRecord extends OwnedRecord {
  @Text({ optional: true, description: 'name for people' })
  name: string | null;

  @Instant({ description: 'where the clock stands' })
  frozen_time: Date;

  @Choice(['ready', 'advancing'], {
    fold: 'lower',
    default: 'ready',
    description: 'advancing while what falls due on the way is run, then ready',
  })
  status: 'ready' | 'advancing';

  /** The target of an advancing clock. */
  @Instant({ hidden: true, optional: true })
  target_time: Date | null;

  /** Date of the next run of an advancing clock, in real time. */
  @Instant({ hidden: true, optional: true })
  run_at: Date | null;

  /** Number of consecutive runs without progress. */
  @Integer({ hidden: true, default: 0 })
  fruitless_runs: number;

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  updated: Date;
}
