/** Number of different coupons that one subscription may redeem. */
export const MAX_COUPONS = 100;

export const MAX_QUANTITY = 1_000_000;
