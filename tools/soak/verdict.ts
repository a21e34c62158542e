import { OURS, type Sample } from './samples.js';

/** Collections of past events: they grow with the company's life, until retention removes the oldest. */
const GROWING = new Set([
  'audit_entries',
  'deliveries',
  'events',
  'idempotency_keys',
  'orders',
  'payment_methods',
  'payments',
  'provider_customers',
  'provider_notices',
  'subscriptions',
  'test_clocks',
  'users',
]);

/** The memory limit of each of the service's processes, in MiB. */
const MOST_RESIDENT = 300;
/** The normal variation of a process in MiB: buffers, connections, compiled code. */
const SWING = 6;
const REDIS_SWING = { keys: 40, mib: 3 };

/** Returns the unexpected growth in words, measured from the first sample with garbage collected. */
export function growths(samples: readonly Sample[]): string[] {
  const measured = samples.filter(({ live }) => live !== null);
  const first = measured.at(0);
  const last = measured.at(-1);
  if (first === undefined || last === undefined || measured.length < 3)
    return ['the run was too short: garbage was collected less than three times'];
  return [
    ...heapGrowths(measured),
    ...residentExcess(samples),
    ...collectionGrowths(first, last),
    ...redisGrowths(samples),
  ];
}

/** A leak grows from each measurement to the next; a cache levels off. */
function heapGrowths(measured: readonly Sample[]): string[] {
  return OURS.flatMap((name) => {
    const sizes = measured.map(({ live }) => live?.[name] ?? 0);
    const middle = sizes[Math.floor(sizes.length / 2)] ?? 0;
    const grown = (sizes.at(-1) ?? 0) - middle;
    if (grown <= SWING) return [];
    return [`${name} holds ${mib(grown)} more after all garbage was collected: ${sizes.map(mib).join(', ')}`];
  });
}

function residentExcess(samples: readonly Sample[]): string[] {
  return OURS.flatMap((name) => {
    const most = Math.max(...samples.map(({ resident }) => resident[name] ?? 0));
    return most > MOST_RESIDENT
      ? [`${name} took ${mib(most)}; ${String(MOST_RESIDENT)} MiB is the most`]
      : [];
  });
}

function collectionGrowths(first: Sample, last: Sample): string[] {
  return Object.entries(last.documents).flatMap(([name, count]) => {
    const before = first.documents[name] ?? 0;
    return GROWING.has(name) || count <= before
      ? []
      : [`${name} grew from ${String(before)} to ${String(count)} documents`];
  });
}

/** Compares the maximum in the last third of the run with that in the middle third. */
function redisGrowths(samples: readonly Sample[]): string[] {
  const third = Math.floor(samples.length / 3);
  const most = (part: readonly Sample[], what: 'keys' | 'mib'): number =>
    Math.max(...part.map(({ redis }) => redis[what]));
  return (['keys', 'mib'] as const).flatMap((what) => {
    const before = most(samples.slice(third, 2 * third), what);
    const after = most(samples.slice(2 * third), what);
    return after - before > REDIS_SWING[what]
      ? [`Redis grew from ${before.toFixed(1)} to ${after.toFixed(1)} ${what === 'keys' ? 'keys' : 'MiB'}`]
      : [];
  });
}

function mib(size: number): string {
  return `${size.toFixed(1)} MiB`;
}
