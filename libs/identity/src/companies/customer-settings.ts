import { fault } from '@commerce/kernel';
import { Choice, Flag, Nested } from '@commerce/records';

import { CustomerQuota, defaultQuota } from './customer-quota.js';

const ANY_OR_NONE = ['any', 'none'] as const;
type AnyOrNone = (typeof ANY_OR_NONE)[number];

/** What customers may do by themselves. */
export class CustomerSettings {
  @Flag({ default: true, description: 'users may create subscriptions' })
  subscribe: boolean;

  @Choice(ANY_OR_NONE, {
    fold: 'lower',
    default: 'any',
    description: 'changes of plan and quantity by users',
  })
  change: AnyOrNone;

  @Flag({ default: true, description: 'users may pause subscriptions' })
  pause: boolean;

  @Choice(ANY_OR_NONE, {
    fold: 'lower',
    default: 'any',
    description: 'stops by users, and ends that they set; none: a user ends no subscription',
  })
  stop: AnyOrNone;

  @Nested(() => CustomerQuota, {
    default: defaultQuota,
    description: 'how much a user may store by its own requests',
  })
  quota: CustomerQuota;
}

export type CustomerRight = Exclude<keyof CustomerSettings, 'quota'>;

/** The settings of a company that has none. */
export function allAllowed(): CustomerSettings {
  return { subscribe: true, change: 'any', pause: true, stop: 'any', quota: defaultQuota() };
}

/** @throws Fault `customer.not_allowed`, which names the setting */
export function requireAllowed(customers: CustomerSettings, right: CustomerRight): void {
  const value = customers[right];
  if (value !== false && value !== 'none') return;
  const setting = `customers.${right}`;
  throw fault('customer.not_allowed', `The company does not let users do this (${setting})`, { setting });
}
