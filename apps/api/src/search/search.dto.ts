import { Amount, Choice, Currency, Instant, ListOf, Ref, Text, type Id } from '@commerce/records';

/** The kinds of records that a search finds, in the order of its results. */
export const FOUND_KINDS = [
  'user',
  'subscription',
  'order',
  'payment',
  'invoice',
  'plan',
  'product',
  'coupon',
  'webhook',
] as const;

export class SearchQuery {
  @Text({
    min: 2,
    max: 128,
    description:
      'an id or short id; the beginning of words of a name, an e-mail address or a reference; a part of the name of a product, of a code or an endpoint; the number of an invoice, or its beginning up to the year at least; the id of a charge at the card provider',
  })
  query: string;
}

/** A record that a search found. */
export class FoundReply {
  @Choice(FOUND_KINDS, { fold: 'lower', description: 'the kind of record' })
  object_type: (typeof FOUND_KINDS)[number];

  @Ref('record', { description: 'its id' })
  _id: Id;

  @Text({ optional: true, description: 'readable id of 6 characters' })
  human_id: string | null;

  @Text({ optional: true, max: 2048, description: 'its name; the endpoint of a webhook' })
  name: string | null;

  @Text({ optional: true, description: 'of a user' })
  email: string | null;

  @Text({ optional: true, description: 'of a coupon' })
  code: string | null;

  @Text({ optional: true, description: 'of an invoice or a credit note', example: 'R2026-000123' })
  number: string | null;

  @Ref('user', {
    optional: true,
    description: 'the customer of a subscription, an order, a payment or an invoice',
  })
  user: Id | null;

  @Ref('plan', { optional: true, description: 'of a subscription' })
  plan: Id | null;

  @Text({ optional: true, description: 'where it stands, in the words of its kind', example: 'ACTIVE' })
  status: string | null;

  @Amount({
    optional: true,
    description: 'of an order, a payment or an invoice; the price of a plan or a product',
  })
  amount: number | null;

  @Currency({ optional: true, description: 'of the amount' })
  currency: string | null;

  @Instant({ description: 'when it was made; on a test clock, by that clock' })
  created: Date;
}

/** The records that a search found, by kind. */
export class SearchReply {
  @ListOf(() => FoundReply, {
    description: 'users first, then subscriptions, orders, payments, invoices and the rest',
  })
  results: FoundReply[];
}
