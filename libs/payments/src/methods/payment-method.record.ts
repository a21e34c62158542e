import {
  Choice,
  Flag,
  Instant,
  Integer,
  OwnedRecord,
  RecordOf,
  Ref,
  Text,
  Written,
  type Id,
} from '@commerce/records';

export const PAYMENT_METHOD_STATUSES = ['CREATED', 'ACTIVE'] as const;
export type PaymentMethodStatus = (typeof PAYMENT_METHOD_STATUSES)[number];

/** A card that a user saved with the card provider; empty until the provider's id of it is known. */
@RecordOf({
  collection: 'payment_methods',
  noun: 'payment_method',
  cls: 'PaymentMethod',
  touched: 'updated',
  deleted: 'deleted',
  auditsUsers: true,
  owner: 'user',
  counted: [],
  list: { sorts: ['created', 'updated'], by: { user: ['created', 'updated'] } },
  indexes: [{ fields: { company: 1, payment_method_id: 1 } }],
})
export class PaymentMethodRecord extends OwnedRecord {
  @Ref('user')
  user: Id;

  @Text({ max: 32, description: 'the card payment provider', example: 'stripe' })
  payment_method: string;

  @Choice(PAYMENT_METHOD_STATUSES, { default: 'CREATED', description: 'whether a card is saved in it' })
  status: PaymentMethodStatus;

  @Text({ optional: true, description: "the provider's id of the payment method" })
  payment_method_id: string | null;

  @Text({ optional: true, description: "the provider's id of the user" })
  customer_id: string | null;

  @Text({
    optional: true,
    example: 'card',
    description: 'the kind of payment method, in the words of the card provider',
  })
  type: string | null;

  @Text({ optional: true, example: 'visa', description: 'the brand of the card' })
  brand: string | null;

  @Text({ optional: true, example: '4242', description: 'the last four digits of the card' })
  last4: string | null;

  @Integer({
    optional: true,
    min: 1,
    max: 12,
    description: 'the month at whose end the card expires, 1 to 12',
  })
  exp_month: number | null;

  @Integer({ optional: true, description: 'the year in which the card expires, in four digits' })
  exp_year: number | null;

  @Text({ optional: true, description: 'where the card was issued', example: 'DE' })
  country: string | null;

  @Flag({ default: false, description: "the user's first choice" })
  default: boolean;

  @Written({
    optional: true,
    description:
      'client_secret for the library of the provider, until the card is saved; shown to whoever asked for it',
    schema: {
      type: 'object',
      properties: { client_secret: { type: 'string', description: "for the provider's client library" } },
      required: ['client_secret'],
    },
  })
  setup_intent: { client_secret: string } | null;

  @Text({
    optional: true,
    max: 4096,
    description: 'the page on which the customer saves the card; shown to admins until it is saved',
  })
  setup_url: string | null;

  @Text({ optional: true, hidden: true })
  setup_id: string | null;

  @Text({ optional: true, hidden: true, sealed: true })
  setup_secret: string | null;

  /** The payment on whose page it was opened; null where it was made by a request. */
  @Ref('payment', { optional: true, hidden: true })
  opened_for: Id | null;

  /** The role that may see the secret. */
  @Choice(['admin', 'user'], { fold: 'lower', hidden: true })
  created_by: 'admin' | 'user';

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  updated: Date;
}
