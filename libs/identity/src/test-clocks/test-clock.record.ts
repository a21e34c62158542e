import { Choice, Flag, Instant, Integer, OwnedRecord, RecordOf, Text } from '@commerce/records';

/** A clock that stands still until it is advanced. The users on it, and all that is theirs, live in its time. */
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

  /** Where an advancing clock is going. */
  @Instant({ hidden: true, optional: true })
  target_time: Date | null;

  /** When a worker should run it next while it is advancing, in real time. */
  @Instant({ hidden: true, optional: true })
  run_at: Date | null;

  /** How many runs in a row have led nowhere. */
  @Integer({ hidden: true, default: 0 })
  fruitless_runs: number;

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  updated: Date;
}
