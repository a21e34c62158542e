import { Instant, OwnedRecord, RecordOf, Text } from '@commerce/records';

/** One key pair that signs user tokens. It belongs to the service: its company is its own id. */
@RecordOf({
  collection: 'signing_keys',
  noun: 'signing_key',
  cls: 'SigningKey',
  touched: 'updated',
  sharding: null,
})
export class SigningKeyRecord extends OwnedRecord {
  /** Sealed. The public half is computed from it, so that write access to the database is not enough to add a key. */
  @Text({ hidden: true, max: 4096 })
  private_jwk: string;

  @Instant({ last: true })
  updated: Date;
}
