/** The facts that decide on an order's coupon reservation: the state of its last payment. */
export interface PlaceHolder {
  /** A payment of the order is in flight. */
  readonly inFlight: boolean;
  /** The customer may still authenticate. */
  readonly waitsForCustomer: boolean;
  /** The provider has an uncancelled intent of it, so a client secret can still pay it. */
  readonly canBePaid: boolean;
  /** The provider has not yet confirmed the requested cancellation of the intent. */
  readonly beingCancelled: boolean;
  /** Whether the coupon's redemptions are limited, so that others may wait for the reservation. */
  readonly bounded: boolean;
}

export type PlaceVerdict = 'keep' | 'give_up' | 'release';

/**
 * Decides on a coupon reservation once its time is over. It is released only when no money can come in any more: if
 * another order took it meanwhile, that would be one discount too many.
 */
export function judgePlace(holder: PlaceHolder): PlaceVerdict {
  if (holder.inFlight || holder.beingCancelled) return 'keep';
  if (holder.bounded && (holder.waitsForCustomer || holder.canBePaid)) return 'give_up';
  return holder.waitsForCustomer ? 'keep' : 'release';
}
