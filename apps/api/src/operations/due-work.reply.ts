import {
  Amount,
  Choice,
  Currency,
  Flag,
  Instant,
  Integer,
  ListOf,
  Ref,
  Text,
  type Id,
} from '@commerce/records';

export const WORK = ['billing', 'payments', 'deliveries'] as const;

/** The due work of one kind. */
export class DueWorkReply {
  @Choice(WORK, {
    fold: 'lower',
    description: 'billing: subscriptions; payments: checks with the card provider; deliveries: to webhooks',
  })
  work: (typeof WORK)[number];

  @Integer({
    optional: true,
    description:
      'how many are due now, exact up to 10,000; null if so much is due that it takes too long to count',
  })
  due: number | null;

  @Flag({ description: 'whether counting ended there: more is due' })
  capped: boolean;

  @Instant({
    optional: true,
    description: 'since when the one that has waited longest is due; null if none is, or if `due` is null',
  })
  since: Date | null;
}

/** An endpoint for which due deliveries wait. */
export class WaitingEndpointReply {
  @Ref('webhook')
  webhook: Id;

  @Text({ description: 'URL that is called' })
  endpoint: string;

  @Integer({ description: 'how many of the 1,000 deliveries that have been due for longest are for it' })
  due: number;
}

/** An invoice or a credit note that could not be made, and is tried again each hour. */
export class WaitingInvoiceReply {
  @Ref('payment')
  payment: Id;

  @Text({
    description: 'why it could not be made',
    example: 'no exchange rate of USD is known up to 2026-11-25: import one',
  })
  error: string;
}

/** The debt of subscriptions with failed payments. */
export class DunningReply {
  @Currency({ description: 'in which it is owed' })
  currency: string;

  @Choice(['RETRYING', 'REQUIRES_AUTH', 'PAST_DUE'], { description: 'what is done about it' })
  collection_state: string;

  @Integer({ description: 'how many subscriptions' })
  subscriptions: number;

  @Amount({ description: 'what is still owed after the last retry' })
  outstanding_amount: number;
}

/** The state of one queue, which all companies share. */
export class QueueReply {
  @Text({ description: 'its name' })
  name: string;

  @Text({ description: 'what its jobs do' })
  purpose: string;

  @Flag({ description: 'whether an operator has stopped it' })
  paused: boolean;

  @Instant({
    optional: true,
    description: 'when the job that has waited longest was added, null if none waits',
  })
  waiting_since: Date | null;
}

/** The due work of a company. */
export class OperationsReply {
  @Instant({ description: 'the time by which it is due' })
  at: Date;

  @ListOf(() => DueWorkReply, { description: 'how much of each kind is due' })
  work: DueWorkReply[];

  @Instant({
    optional: true,
    description: 'since when an operator holds all new charges of the installation; null if nobody does',
  })
  billing_hold: Date | null;

  @ListOf(() => WaitingEndpointReply, {
    description: 'the endpoints that due deliveries wait for, at most 5, the most deliveries first',
  })
  endpoints: WaitingEndpointReply[];

  @ListOf(() => WaitingInvoiceReply, {
    description: 'invoices that could not be made, such as those that wait for an exchange rate; at most 5',
  })
  waiting_invoices: WaitingInvoiceReply[];

  @ListOf(() => DunningReply, { description: 'subscriptions in real time whose money is at risk' })
  dunning: DunningReply[];

  @Integer({
    description: 'subscriptions that billing leaves alone until they are released, exact up to 10,000',
  })
  held: number;

  @Flag({ description: 'whether counting them ended there: more are held' })
  held_capped: boolean;

  @ListOf(() => QueueReply, {
    optional: true,
    description: 'the queues that all companies share, up to a second old; null while Redis is away',
  })
  queues: QueueReply[] | null;
}
