import type { NotedCommand } from './noted-commands.js';

/** Reading a whole collection, sorting in memory, or a command that does not name the shard key, so that a mongos asks every shard. */
export type Fault = 'COLLSCAN' | 'SORT' | 'NO_SHARD_KEY';

interface Exception {
  readonly collection: string;
  readonly fault: Fault;
  /** The fields of its filter, sorted; every command of the collection where it is left out. */
  readonly fields?: string;
  readonly why: string;
}

const SMALL = 'a collection of a few documents, read at a start or by a person at a command line';
const SWEEP =
  'a sweep, which one worker runs at a time, asks for what is due of all companies; each shard answers from an index';
const METRICS = 'a count of all companies, for the metrics';
const REBUILD = 'the rebuild of the search, at a command line, walks the records of all companies by id';
const KEY = 'a key, by which the company of a request is found; each process remembers it for five seconds';

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
  { collection: 'credentials', fault: 'NO_SHARD_KEY', fields: '_id', why: KEY },
  { collection: 'checkups', fault: 'NO_SHARD_KEY', fields: 'due', why: SWEEP },
  { collection: 'deliveries', fault: 'NO_SHARD_KEY', fields: 'next_attempt', why: SWEEP },
  { collection: 'deliveries', fault: 'NO_SHARD_KEY', fields: 'next_attempt,webhook', why: SWEEP },
  { collection: 'deliveries', fault: 'NO_SHARD_KEY', fields: '_id', why: SWEEP },
  { collection: 'events', fault: 'NO_SHARD_KEY', fields: 'pending', why: SWEEP },
  { collection: 'event_logs', fault: 'NO_SHARD_KEY', fields: '', why: SWEEP },
  { collection: 'image_uploads', fault: 'NO_SHARD_KEY', fields: 'began', why: SWEEP },
  { collection: 'invoices_due', fault: 'NO_SHARD_KEY', fields: '', why: SWEEP },
  {
    collection: 'invoices_due',
    fault: 'COLLSCAN',
    fields: '',
    why: 'the companies with waiting rows: distinct scans an index that begins with the company, one key for each',
  },
  { collection: 'orders', fault: 'NO_SHARD_KEY', fields: 'auth_due,test_clock', why: SWEEP },
  { collection: 'orders', fault: 'NO_SHARD_KEY', fields: 'coupon_due', why: SWEEP },
  { collection: 'payments', fault: 'NO_SHARD_KEY', fields: 'check_at', why: SWEEP },
  { collection: 'subscriptions', fault: 'NO_SHARD_KEY', fields: 'wake_at', why: SWEEP },
  { collection: 'templates', fault: 'NO_SHARD_KEY', fields: 'unset_until', why: SWEEP },
  { collection: 'test_clocks', fault: 'NO_SHARD_KEY', fields: 'run_at,status', why: SWEEP },
  { collection: 'payments', fault: 'NO_SHARD_KEY', fields: 'owed_amount', why: METRICS },
  { collection: 'subscriptions', fault: 'NO_SHARD_KEY', fields: 'failures', why: METRICS },
  { collection: 'subscriptions', fault: 'NO_SHARD_KEY', fields: 'held.reason,held.since', why: METRICS },
  { collection: 'coupons', fault: 'NO_SHARD_KEY', fields: '', why: REBUILD },
  { collection: 'products', fault: 'NO_SHARD_KEY', fields: '', why: REBUILD },
  { collection: 'resources', fault: 'NO_SHARD_KEY', fields: '', why: REBUILD },
  { collection: 'users', fault: 'NO_SHARD_KEY', fields: '', why: REBUILD },
  { collection: 'plans', fault: 'NO_SHARD_KEY', fields: '', why: REBUILD },
  {
    collection: 'images',
    fault: 'NO_SHARD_KEY',
    fields: '_id',
    why: 'the content of an image is shown to each caller who knows its id, which the service drew at random',
  },
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
