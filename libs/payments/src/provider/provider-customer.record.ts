import { Instant, OwnedRecord, RecordOf, Ref, Text, type Id } from '@commerce/records';

/** A user's customer at the card provider; another one takes its place where the provider no longer has it. */
@RecordOf({
  collection: 'provider_customers',
  noun: 'provider_customer',
  cls: 'ProviderCustomer',
  touched: 'updated',
  indexes: [{ fields: { company: 1, user: 1, provider: 1 }, options: { unique: true } }],
})
export class ProviderCustomerRecord extends OwnedRecord {
  @Ref('user')
  user: Id;

  @Text()
  provider: string;

  @Text()
  customer_id: string;

  @Instant({ last: true })
  updated: Date;
}
