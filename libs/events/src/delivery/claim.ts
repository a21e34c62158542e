import type { EventBody } from '../log/event.store.js';
import type { DueDelivery } from './due-delivery.js';

/** What a worker writes on the deliveries that it claims in one go. */
export interface Claim {
  /** Names the worker and the claim; no two are the same. */
  readonly name: string;
  /** When it was made, by the database's clock. */
  readonly at: Date;
  /** The same by a monotonic clock. */
  readonly since: number;
  /** Until then nobody else may claim these deliveries. */
  readonly leaseEnd: Date;
}

/** Lets deliveries be created as claimed, as long as there is room to send them at once. */
export interface ClaimOnCreation extends Claim {
  /** Reserves a place in the queue of the endpoint, if there is one. */
  take(company: string, endpoint: string): boolean;
}

/** A delivery that this worker has claimed, and what is needed to send it. */
export interface ClaimedDelivery {
  /** The delivery as it was before the claim. */
  readonly due: DueDelivery;
  readonly event: EventBody;
  /** Compared with the webhook once more before anything is sent. */
  readonly endpoint: string;
  /** When it was claimed, by the database's clock. */
  readonly at: Date;
  /** The same by a monotonic clock; the lease counts from here. */
  readonly since: number;
}
