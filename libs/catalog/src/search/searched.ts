/** The kinds of records that can be searched. */
export type Searched = 'coupon' | 'product' | 'resource';
