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
} from '@commerce/records';

/** An end customer of a company. */
@RecordOf({
  collection: 'users',
  noun: 'user',
  cls: 'User',
  touched: 'updated',
  deleted: 'deleted',
  owner: '_id',
  list: { sorts: ['created', 'updated', 'name', 'email'] },
  indexes: [
    {
      fields: { company: 1, human_id: 1 },
      options: { unique: true },
      // A human_id was generated twice: the request runs again and generates another.
      taken: { code: 'record.conflict', path: 'human_id', message: 'This human_id is in use' },
    },
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

  @Ref('test clock', { optional: true, description: 'the test clock on which the user lives' })
  test_clock: Id | null;

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  updated: Date;
}
