/** A kind of record that can be created or changed here, and the fields shown first; the others follow under "More". */
export interface Kind {
  readonly path: string;
  readonly create: string;
  /** Null for records that cannot be changed. */
  readonly update: string | null;
  readonly fields: readonly string[];
  /** Whether the form has these fields alone. */
  readonly isPart?: boolean;
  /** Null for records that cannot be deleted. */
  readonly remove: 'delete' | null;
}

export const KINDS = {
  products: {
    path: '/products',
    create: 'CreateProductBody',
    update: 'UpdateProductBody',
    fields: ['name', 'currency', 'price', 'vat', 'active', 'description'],
    remove: 'delete',
  },
  plans: {
    path: '/plans',
    create: 'CreatePlanBody',
    update: 'UpdatePlanBody',
    fields: [
      'name',
      'total_amount',
      'currency',
      'interval_unit',
      'interval_count',
      'vat',
      'items',
      'prepay',
      'setup_fee',
      'trial_days',
    ],
    remove: 'delete',
  },
  coupons: {
    path: '/coupons',
    create: 'CreateCouponBody',
    update: 'UpdateCouponBody',
    fields: [
      'name',
      'code',
      'percent_off',
      'amount_off',
      'currency',
      'duration',
      'duration_in_intervals',
      'products',
      'ending_date',
      'max_redemptions',
      'max_redemptions_per_user',
    ],
    remove: 'delete',
  },
  users: {
    path: '/users',
    create: 'CreateUserBody',
    update: 'UpdateUserBody',
    fields: ['name', 'email', 'external_reference', 'test_clock'],
    remove: 'delete',
  },
  orders: {
    path: '/orders',
    create: 'CreateOrderBody',
    update: 'UpdateOrderBody',
    fields: ['user', 'items', 'coupon', 'note'],
    // Its page cancels it.
    remove: null,
  },
  webhooks: {
    path: '/webhooks',
    create: 'CreateWebhookBody',
    update: 'UpdateWebhookBody',
    fields: ['event_type', 'kinds', 'endpoint', 'active'],
    remove: 'delete',
  },
  keys: {
    path: '/keys',
    create: 'CreateKeyBody',
    update: null,
    fields: ['kind', 'expires'],
    remove: 'delete',
  },
  test_clocks: {
    path: '/test_clocks',
    create: 'CreateTestClockBody',
    update: null,
    fields: ['name', 'frozen_time'],
    remove: 'delete',
  },
  seller: {
    path: '/company',
    create: '',
    update: 'UpdateCompanyBody',
    fields: ['seller'],
    isPart: true,
    remove: null,
  },
  tax: {
    path: '/company',
    create: '',
    update: 'UpdateCompanyBody',
    fields: ['tax'],
    isPart: true,
    remove: null,
  },
  rights: {
    path: '/company',
    create: '',
    update: 'UpdateCompanyBody',
    fields: ['customers'],
    isPart: true,
    remove: null,
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

/** The kinds of which records are created. */
export type CreatedKind = Exclude<KindName, 'seller' | 'tax' | 'rights'>;

export function isKind(name: string): name is KindName {
  return name in KINDS;
}
