export const forms = {
  forms: {
    new: {
      products: 'New product',
      plans: 'New plan',
      coupons: 'New coupon',
      users: 'New customer',
      orders: 'New order',
      webhooks: 'New webhook',
      test_clocks: 'New test clock',
      keys: 'New key',
    },
    required: '(required)',
    percent: 'in percent: 25 is 25 %',
    percentRange: 'must be a percentage from 0 to 100',
    more: 'More',
    create: 'Create',
    save: 'Save',
    change: 'Change',
    addRow: 'Add one',
    removeRow: 'Remove',
    keep: 'Keep it',
    notNow: 'Not now',
    lookBelow: (many: number) =>
      many === 1 ? 'One field needs your attention.' : `${String(many)} fields need your attention.`,
    delete: {
      button: 'Delete',
      sure: 'It stays readable, with its flag, and cannot be brought back.',
      confirm: 'Delete it',
    },
    cancel: { button: 'Cancel the order', sure: 'The customer can no longer pay it.', confirm: 'Cancel it' },
  },
};
