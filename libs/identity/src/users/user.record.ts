import { ANY_DATE, WORDS_INDEX, wordsOf } from '@commerce/data';
import {
  AnyJson,
  Choices,
  Email,
  Flag,
  FreeJson,
  Instant,
  Integer,
  Nested,
  OwnedRecord,
  RecordOf,
  Ref,
  Text,
  Texts,
  Written,
  type Id,
} from '@commerce/records';

import { BillingData, TAX_EVIDENCE, type TaxEvidence } from '../parties/billing-data.js';

/** Credit of a user in major units, by currency. Amounts are above 0. */
export type Balance = Readonly<Record<string, number>>;

const BALANCE_SCHEMA = {
  type: 'object',
  additionalProperties: { type: 'number', exclusiveMinimum: 0 },
  example: { EUR: 12.5 },
};

/** An end customer of a company. */
@RecordOf({
  collection: 'users',
  noun: 'user',
  cls: 'User',
  touched: 'updated',
  deleted: 'deleted',
  owner: '_id',
  list: {
    sorts: ['created', 'updated', 'name', 'email', '_id'],
    by: { test_clock: ['created'] },
  },
  indexes: [
    {
      fields: { company: 1, human_id: 1 },
      options: { unique: true },
      // A human_id was generated twice: the request runs again and generates another.
      taken: { code: 'record.conflict', path: 'human_id', message: 'This human_id is in use' },
    },
    {
      fields: { company: 1, has_balance: 1, _id: 1 },
      options: { partialFilterExpression: { has_balance: true } },
    },
    { fields: { vat_check_due: 1 }, options: { partialFilterExpression: { vat_check_due: ANY_DATE } } },
    WORDS_INDEX,
  ],
  sample: (): Partial<UserRecord> => ({
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    timezone: 'Europe/London',
  }),
})
export class UserRecord extends OwnedRecord {
  @Text({ filled: true, description: 'readable id of 6 characters' })
  human_id: string;

  @Text({ optional: true, description: 'name for people' })
  name: string | null;

  @Email({ optional: true, description: 'unique in the company, whatever its case' })
  email: string | null;

  @Text({ optional: true, description: "the user's id in another system" })
  external_reference: string | null;

  @Text({ optional: true, max: 64, description: 'IANA time zone; for display only, it never moves billing' })
  timezone: string | null;

  @AnyJson({ optional: true, description: 'any JSON of your own; users may read it, admins change it' })
  metadata: FreeJson | null;

  @Nested(() => BillingData, { optional: true, description: 'what invoices say of the user' })
  billing: BillingData | null;

  @Choices(TAX_EVIDENCE, {
    default: () => [],
    description:
      'what of billing the user gave and nobody has confirmed: under tax.mode eu it lowers no tax without evidence',
  })
  billing_unconfirmed: TaxEvidence[];

  /** When VIES is asked about the VAT id that the user gave; real time. Null where it need not be. */
  @Instant({ optional: true, hidden: true })
  vat_check_due: Date | null;

  /** How often VIES has given no answer. */
  @Integer({ default: 0, hidden: true })
  vat_check_tries: number;

  @Ref('test clock', { optional: true, description: 'the test clock on which the user lives' })
  test_clock: Id | null;

  @Written({
    default: () => ({}),
    description:
      'credit by currency, in major units; the next charges of subscriptions take from it before the card',
    schema: BALANCE_SCHEMA,
  })
  balance: Balance;

  /** Whether the balance holds any amount. */
  @Flag({ default: false, hidden: true })
  has_balance: boolean;

  /** The words of name, e-mail and reference, for searches. */
  @Texts({ default: userWords, hidden: true })
  search_words: string[];

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  updated: Date;
}

/** The words by which a search finds a user. */
export function userWords(
  user: Partial<Pick<UserRecord, 'name' | 'email' | 'external_reference'>>,
): string[] {
  return wordsOf([user.name, user.email, user.external_reference]);
}
