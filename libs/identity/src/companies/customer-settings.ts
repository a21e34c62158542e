import { fault, type Fault } from '@commerce/kernel';
import { Choice, Flag, Nested } from '@commerce/records';

import { CustomerQuota, defaultQuota } from './customer-quota.js';

const CHANGES = ['any', 'dearer', 'none'] as const;
const STOPS = ['any', 'period_end', 'none'] as const;
const STARTS = ['later', 'first'] as const;
const TRIALS = ['once_per_plan', 'once', 'always'] as const;

/** What customers may do by themselves. */
export class CustomerSettings {
  @Flag({ default: true, description: 'users may create subscriptions' })
  subscribe: boolean;

  @Choice(CHANGES, {
    fold: 'lower',
    default: 'any',
    description:
      'changes of plan and quantity by users; dearer: only those whose price for a day is not lower, coupons aside',
  })
  change: (typeof CHANGES)[number];

  @Flag({ default: true, description: 'users may pause subscriptions' })
  pause: boolean;

  @Choice(STOPS, {
    fold: 'lower',
    default: 'any',
    description:
      'stops by users, and ends that they set; period_end: only with the end of a period; none: a user ends no subscription',
  })
  stop: (typeof STOPS)[number];

  @Flag({ default: true, description: 'users may update templates' })
  templates: boolean;

  @Choice(STARTS, {
    fold: 'lower',
    default: 'later',
    description:
      'first starts by users; first: only once the first charge is paid; later: at once, unless they ask for first',
  })
  start: (typeof STARTS)[number];

  @Choice(TRIALS, {
    fold: 'lower',
    default: 'once_per_plan',
    description:
      'trials of subscriptions that users start: a second one of the plan, or any second one, starts without trial',
  })
  trials: (typeof TRIALS)[number];

  @Flag({
    default: false,
    description: 'users who owe may subscribe, and change to what costs more',
  })
  may_owe: boolean;

  @Nested(() => CustomerQuota, {
    default: defaultQuota,
    description: 'how much a user may store by its own requests',
  })
  quota: CustomerQuota;
}

/** What a company can switch off. */
export type CustomerRight = 'subscribe' | 'change' | 'pause' | 'start' | 'stop' | 'templates';

/** The settings of a company that has none. */
export function defaultCustomerSettings(): CustomerSettings {
  return {
    subscribe: true,
    change: 'any',
    pause: true,
    stop: 'any',
    templates: true,
    start: 'later',
    trials: 'once_per_plan',
    may_owe: false,
    quota: defaultQuota(),
  };
}

/** The settings that bind nobody. */
export function allAllowed(): CustomerSettings {
  return { ...defaultCustomerSettings(), trials: 'always', may_owe: true };
}

/** @throws Fault `customer.not_allowed`, which names the setting */
export function requireAllowed(customers: CustomerSettings, right: CustomerRight): void {
  const value = customers[right];
  if (value === false || value === 'none') throw notAllowed(right);
}

/** The refusal of what a setting does not allow. */
export function notAllowed(right: CustomerRight, what = 'do this'): Fault {
  const setting = `customers.${right}`;
  return fault('customer.not_allowed', `The company does not let users ${what} (${setting})`, { setting });
}
