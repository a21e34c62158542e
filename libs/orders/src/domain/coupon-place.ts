/** What holds a coupon's place for an order: the order's last payment. */
export interface PlaceHolder {
  /** A payment of the order is sent, and its end not known. */
  readonly underWay: boolean;
  /** The customer may still authenticate. */
  readonly waitsForCustomer: boolean;
  /** It was given up, but the provider has not confirmed yet that it can take no more money. */
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
  if (!holder.waitsForCustomer) return 'release';
  return holder.bounded ? 'give_up' : 'keep';
}
