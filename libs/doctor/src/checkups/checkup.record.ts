import { ANY_DATE } from '@commerce/data';
import {
  Choice,
  Flag,
  Instant,
  Integer,
  ListOf,
  LongText,
  OwnedRecord,
  RecordOf,
  Text,
} from '@commerce/records';

export const CHECKUP_STATES = ['none', 'queued', 'running', 'done'] as const;

export type CheckupState = (typeof CHECKUP_STATES)[number];

/** Why a checkup did not get to all records. */
export const INCOMPLETE = ['deadline', 'failed', 'interrupted'] as const;

export type Incomplete = (typeof INCOMPLETE)[number];

/** Findings that a checkup keeps; the others are only counted. */
export const KEPT_FINDINGS = 100;

/** Something that is not as it must be. */
export class CheckupFinding {
  @Text({ description: 'the kind of record and what is wrong with it', example: 'payment.unsettled' })
  kind: string;

  @Text({ description: 'the id of the record' })
  id: string;

  @LongText({ description: 'what is wrong, for people' })
  detail: string;

  @Flag({ description: 'whether the command in `repair` can put it right; else a person has to decide' })
  repairable: boolean;
}

/** The last walk over the records of a company; its id is the company's. */
@RecordOf({
  collection: 'checkups',
  noun: 'checkup',
  cls: 'Checkup',
  touched: 'updated',
  indexes: [{ fields: { due: 1 }, options: { partialFilterExpression: { due: ANY_DATE } } }],
})
export class CheckupRecord extends OwnedRecord {
  @Choice(CHECKUP_STATES, {
    fold: 'lower',
    default: 'none',
    description: 'none: never asked for; queued: waits for a worker; running; done',
  })
  state: CheckupState;

  @Instant({ optional: true, description: 'when it was asked for' })
  requested: Date | null;

  @Instant({ optional: true, description: 'when a worker began' })
  started: Date | null;

  @Instant({ optional: true, description: 'when it ended' })
  finished: Date | null;

  @Integer({ default: 0, description: 'how many records have been looked at' })
  checked: number;

  @Integer({ default: 0, description: 'how many findings there are' })
  total: number;

  @ListOf(() => CheckupFinding, { max: KEPT_FINDINGS, default: [], description: 'the first 100 of them' })
  findings: CheckupFinding[];

  @Choice(INCOMPLETE, {
    fold: 'lower',
    optional: true,
    description:
      'why not all records were looked at, null if they were; deadline: it took too long; failed: an error, such as a card provider that is away; interrupted: workers ended in the middle again and again',
  })
  incomplete: Incomplete | null;

  @Text({ description: 'the admin command that repairs what can be repaired' })
  repair: string;

  /** When a worker is to take it: at once when it is queued, at the end of the lease while one runs it. */
  @Instant({ hidden: true, optional: true })
  due: Date | null;

  /** The name of the lease with which a worker runs it. A write under another lease came too late. */
  @Text({ hidden: true, optional: true })
  claimed_by: string | null;

  /** How often workers have begun it. */
  @Integer({ hidden: true, default: 0 })
  claims: number;

  @Instant({ last: true })
  updated: Date;
}
