import type { Tag } from './openapi.js';

/** The groups of routes, in the order in which people need them. */
export const TAGS: readonly Tag[] = [
  { name: 'products', description: 'What is sold. Main products can have sub-products.' },
  { name: 'plans', description: 'How something is billed: price, unit of time, when money is collected.' },
  { name: 'subscriptions', description: "A customer's use of a plan, from start to end." },
  { name: 'payment methods', description: 'The cards that customers saved with the card provider.' },
  { name: 'payments', description: 'What is owed and how its collection went; confirmations and refunds.' },
  { name: 'invoices', description: 'Invoices of payments, and credit notes of refunds.' },
  { name: 'orders', description: 'Single purchases of products.' },
  { name: 'coupons', description: 'Discounts on orders and subscriptions.' },
  { name: 'company', description: 'The company of the key, and the seller that its invoices name.' },
  { name: 'users', description: 'End customers, and the tokens by which they call.' },
  { name: 'resources', description: 'Reusable assets and retail items.' },
  { name: 'images', description: 'Pictures of products and resources.' },
  { name: 'templates', description: 'Typed attributes that a company adds to its products.' },
  { name: 'webhooks', description: 'Endpoints that are told of events, and what was delivered to them.' },
  { name: 'events', description: 'The log of everything that happened, in order.' },
  { name: 'audit', description: 'Who changed what: the trail of admins and of the command line.' },
  { name: 'test clocks', description: 'Time travel for tests: months of billing in seconds.' },
  { name: 'search', description: 'Records of every kind by one text.' },
  { name: 'operations', description: 'What waits to be done.' },
  {
    name: 'keys',
    description: 'API keys and service keys, and the public keys that verify user tokens.',
  },
  { name: 'provider webhooks', description: 'Where the card provider reports.' },
];

/** The tags that are in use, in their order. */
export function tagsOf(used: ReadonlySet<string>): readonly Tag[] {
  const unknown = [...used].filter((name) => !TAGS.some((tag) => tag.name === name));
  if (unknown.length > 0) throw new Error(`no description for the tags ${unknown.join(', ')}`);
  return TAGS.filter((tag) => used.has(tag.name));
}
