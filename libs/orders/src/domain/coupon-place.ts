/** What holds a coupon's place for an order: the order's last payment. */
export interface PlaceHolder {
  /** A payment of the order is sent, and its end not known. */
  readonly underWay: boolean;
  /** The customer may still authenticate. */
  readonly waitsForCustomer: boolean;
  /** The provider has an intent of it that is not cancelled, so that a client secret can still pay it. */
  readonly canBePaid: boolean;
  /** The provider was asked to cancel the intent, and has not confirmed it yet. */
  readonly beingCancelled: boolean;
  /** Whether the coupon has a bound, so that others may be waiting for the place. */
  readonly bounded: boolean;
}

export type PlaceVerdict = 'keep' | 'give_up' | 'release';

/**
 * What becomes of the place of an order once its time is over. It is let go only when no money can come in any more:
 * a place that somebody else takes meanwhile would be one discount too many.
 */
export function judgePlace(holder: PlaceHolder): PlaceVerdict {
  if (holder.underWay || holder.beingCancelled) return 'keep';
  if (holder.bounded && (holder.waitsForCustomer || holder.canBePaid)) return 'give_up';
  return holder.waitsForCustomer ? 'keep' : 'release';
}
