import {
  AnyJson,
  Email,
  Flag,
  FreeJson,
  Instant,
  OwnedRecord,
  RecordOf,
  Ref,
  Text,
  type Id,
} from '@commerce/platform';

/** An end customer of a company. */
@RecordOf({
  collection: 'users',
  noun: 'user',
  cls: 'User',
  touched: 'updated',
  deleted: 'deleted',
  owner: '_id',
  list: { sorts: ['created', 'updated', 'name', 'email'] },
  sample: (): Partial<UserRecord> => ({
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    timezone: 'Europe/London',
  }),
})
export class UserRecord extends OwnedRecord {
  @Text({ optional: true })
  human_id: string;

  @Text({ optional: true })
  name: string | null;

  @Email({ optional: true, description: 'unique in the company, whatever its case' })
  email: string | null;

  @Text({ optional: true, description: "the user's id in another system" })
  external_reference: string | null;

  @Text({ optional: true, max: 64, description: 'IANA time zone; for display only, it never moves billing' })
  timezone: string | null;

  @AnyJson({ optional: true })
  metadata: FreeJson | null;

  @Ref('test clock', { optional: true, description: 'the test clock on which the user lives' })
  test_clock: Id | null;

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  updated: Date;
}
