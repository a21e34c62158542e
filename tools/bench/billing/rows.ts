import type { mongo } from 'mongoose';

/** Rows of the service's database, as far as the benchmark looks into them. */

export interface SubscriptionRow extends mongo.Document {
  readonly _id: mongo.ObjectId;
  readonly company: mongo.ObjectId;
  readonly user: mongo.ObjectId;
  readonly sys: { readonly version: number; readonly events: number };
}

export interface PaymentRow extends mongo.Document {
  readonly _id: mongo.ObjectId;
  readonly company: mongo.ObjectId;
  readonly subscription: mongo.ObjectId;
  readonly amount: number;
  readonly currency: string;
  readonly attempts: readonly mongo.Document[];
  readonly provider: mongo.Document;
  readonly request: { readonly customer_id: string; readonly method_id: string };
}

/** How the service bills one subscription: the rows before, between and after its two commits. */
export interface Sample {
  /** The subscription as it is due. */
  readonly before: SubscriptionRow;
  /** The same, billed. */
  readonly after: SubscriptionRow;
  /** As it is in the end. */
  readonly payment: PaymentRow;
  /** The events of the commit that opens the payment. */
  readonly first: readonly mongo.Document[];
  /** The events of the commit that settles it. */
  readonly second: readonly mongo.Document[];
}

/** What the bare loop is started with, as EJSON. */
export interface BillSpec {
  readonly samples: readonly Sample[];
  /** How many subscriptions are under way at once. */
  readonly abreast: number;
  readonly pids: Readonly<Record<string, number>>;
}
