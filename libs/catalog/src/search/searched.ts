/** What can be searched. */
export type Searched = 'coupon' | 'product' | 'resource';
