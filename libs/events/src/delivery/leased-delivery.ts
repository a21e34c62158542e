import type { Lease } from '@commerce/data';

import type { EventBody } from '../log/event.store.js';
import type { DueDelivery } from './due-delivery.js';

/** Lets deliveries be created as leased, as long as there is room to send them at once. */
export interface LeaseOnCreation extends Lease {
  /** Reserves a place in the queue of the endpoint, if there is one. */
  take(company: string, endpoint: string): boolean;
}

/** A delivery that this worker has leased, and what is needed to send it. */
export interface LeasedDelivery {
  /** The delivery as it was before the lease. */
  readonly due: DueDelivery;
  readonly event: EventBody;
  /** Compared with the webhook once more before anything is sent. */
  readonly endpoint: string;
  readonly lease: Lease;
}
