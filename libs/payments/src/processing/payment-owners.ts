import { Injectable } from '@nestjs/common';
import type { UnitOfWork } from '@commerce/platform';

import type { PaymentRecord } from '../payments/payment.record.js';

export type OwnerKind = 'subscription' | 'order';

/** Runs after the commit, such as a kick; it may get lost with the process. */
export type AfterCommit = () => Promise<void>;

/** What a payment is for. It follows the payment in the same commit. */
export interface PaymentOwner {
  /**
   * Called inside the unit of work whenever the status of one of its payments changes; adds its own writes to it.
   * It may be called several times for one change, when another writer was quicker; only one unit is committed.
   * What it returns runs after the commit.
   * A given-up payment can still succeed, when the customer authenticated at the same moment: FAILED to SUCCEEDED.
   */
  settled(work: UnitOfWork, before: PaymentRecord, after: PaymentRecord): Promise<AfterCommit | null>;
}

/** Who follows which payments; the owners register themselves when their modules start. */
@Injectable()
export class PaymentOwners {
  private readonly owners = new Map<OwnerKind, PaymentOwner>();

  register(kind: OwnerKind, owner: PaymentOwner): void {
    if (this.owners.has(kind)) throw new Error(`payments of a ${kind} have two owners`);
    this.owners.set(kind, owner);
  }

  /** The owner of this payment; null when it has none, or nobody registered. */
  of({ subscription, order }: Pick<PaymentRecord, 'subscription' | 'order'>): PaymentOwner | null {
    const kind = order !== null ? 'order' : subscription !== null ? 'subscription' : null;
    return kind === null ? null : (this.owners.get(kind) ?? null);
  }
}
