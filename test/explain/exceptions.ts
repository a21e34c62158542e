import type { NotedCommand } from './noted-commands.js';

/** Reading a whole collection, sorting in memory, or writing without naming the company. */
export type Fault = 'COLLSCAN' | 'SORT' | 'NO_COMPANY';

interface Exception {
  readonly collection: string;
  readonly fault: Fault;
  /** The fields of its filter, sorted; every command of the collection where it is left out. */
  readonly fields?: string;
  readonly why: string;
}

const SMALL = 'a collection of a few documents, read at a start or by a person at a command line';
const OWN_ID = 'one document by its own id, which the service drew at random or which holds the company';
const INSTALLATION = 'belongs to the installation, not to a company, and stays unsharded';
const SWEEP = 'a sweep, which one worker runs at a time, asks for what is due of all companies';
const METRICS = 'a count of all companies, for the metrics';
const REBUILD = 'the rebuild of the search, at a command line, walks the records of all companies by id';
const LEASE = 'what a sweep found across companies, by its id and the state that was read';

export const EXCEPTIONS: readonly Exception[] = [
  { collection: 'companies', fault: 'COLLSCAN', fields: '', why: SMALL },
  { collection: 'signing_keys', fault: 'COLLSCAN', fields: '', why: SMALL },
  {
    collection: 'event_logs',
    fault: 'COLLSCAN',
    fields: '',
    why: 'a small document for each company, read once an hour by the removal of old events',
  },
  {
    collection: 'image_content.files',
    fault: 'COLLSCAN',
    fields: '',
    why: 'GridFS asks for any one document before it makes its indexes',
  },
  {
    collection: 'image_uploads',
    fault: 'COLLSCAN',
    why: 'uploads that run at this moment, and nothing else',
  },
  { collection: 'companies', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'credentials', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'image_uploads', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'image_variants', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'image_usage', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'billing_holds', fault: 'NO_COMPANY', why: INSTALLATION },
  { collection: 'signing_keys', fault: 'NO_COMPANY', why: INSTALLATION },
  { collection: 'image_content.files', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'image_content.chunks', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'idempotency_keys', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'taken_names', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'event_logs', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'provider_notices', fault: 'NO_COMPANY', why: 'the provider knows no company' },
  { collection: 'webhooks', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'webhooks_made', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'key_turns', fault: 'NO_COMPANY', why: OWN_ID },
  { collection: 'deliveries', fault: 'NO_COMPANY', why: LEASE },
  {
    collection: 'leases_of_test',
    fault: 'NO_COMPANY',
    why: 'the rows of a test, which belong to no company',
  },
  { collection: 'payments', fault: 'NO_COMPANY', fields: '_id,check_at', why: LEASE },
  { collection: 'checkups', fault: 'NO_COMPANY', fields: 'due', why: SWEEP },
  { collection: 'events', fault: 'NO_COMPANY', fields: 'pending', why: SWEEP },
  { collection: 'orders', fault: 'NO_COMPANY', fields: 'auth_due,test_clock', why: SWEEP },
  { collection: 'orders', fault: 'NO_COMPANY', fields: 'coupon_due', why: SWEEP },
  { collection: 'payments', fault: 'NO_COMPANY', fields: 'check_at', why: SWEEP },
  { collection: 'subscriptions', fault: 'NO_COMPANY', fields: 'wake_at', why: SWEEP },
  { collection: 'templates', fault: 'NO_COMPANY', fields: 'unset_until', why: SWEEP },
  { collection: 'test_clocks', fault: 'NO_COMPANY', fields: 'run_at,status', why: SWEEP },
  { collection: 'payments', fault: 'NO_COMPANY', fields: 'owed_amount', why: METRICS },
  { collection: 'subscriptions', fault: 'NO_COMPANY', fields: 'failures', why: METRICS },
  { collection: 'subscriptions', fault: 'NO_COMPANY', fields: 'held.reason,held.since', why: METRICS },
  { collection: 'coupons', fault: 'NO_COMPANY', fields: '', why: REBUILD },
  { collection: 'products', fault: 'NO_COMPANY', fields: '', why: REBUILD },
  { collection: 'resources', fault: 'NO_COMPANY', fields: '', why: REBUILD },
  {
    collection: 'images',
    fault: 'NO_COMPANY',
    fields: '_id',
    why: 'the content of an image is shown to each caller who knows its id, which the service drew at random',
  },
  {
    collection: 'resources',
    fault: 'SORT',
    why: 'a narrowed list in another order: the planner sorts what the filter leaves where that is little',
  },
  {
    collection: 'subscriptions',
    fault: 'SORT',
    why: 'as resources; and what is pending on one test clock, of which there are few',
  },
  { collection: 'payments', fault: 'SORT', why: 'as resources; an order has few payments' },
  { collection: 'orders', fault: 'SORT', why: 'as resources' },
  {
    collection: 'products',
    fault: 'SORT',
    why: 'products by tag in another order than the newest first; products near a place, of one circle; up to 1,000 by id',
  },
  { collection: 'coupons', fault: 'SORT', why: 'up to 1,000 by id, which a search found' },
];

export function exceptionFor(noted: NotedCommand, fault: Fault): Exception | undefined {
  const { collection } = noted;
  const fields = [...noted.fields].sort().join();
  return EXCEPTIONS.find(
    (one) =>
      one.collection === collection &&
      one.fault === fault &&
      (one.fields === undefined || one.fields === fields),
  );
}
