/**
 * Generates load on two servers in turns of a second, from a process of its own, so that what slows the machine down for
 * some seconds slows both sides. Processor time is measured over the same turns in which the requests are counted.
 */
import autocannon from 'autocannon';

import { print, specification } from '../child.js';
import { medians, type Pair, type Round, type SideName } from '../measure/compare.js';
import { startCpu } from '../measure/cpu.js';
import { PRODUCT } from './catalogue.js';

/** The requests to one server. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The paths to read, one after the other; none where products are made. */
  readonly paths: readonly string[];
  /** The processes to measure. */
  readonly pids: Readonly<Record<string, number>>;
}

export interface LoadSpec {
  readonly sides: Readonly<Record<SideName, Target>>;
  readonly first: SideName;
  readonly connections: number;
  readonly warmUpMs: number;
  /** For each side, in turns. */
  readonly ms: number;
}

const TURN_MS = 1000;
/** The bare side prepares for its first searches for some seconds. */
const TIMEOUT_S = 60;
const { sides, first, connections, warmUpMs, ms } = specification<LoadSpec>();
let sent = 0;

function requestTo({ paths }: Target): Pick<autocannon.Request, 'method' | 'path' | 'body'> {
  sent += 1;
  const path = paths[sent % paths.length];
  if (path !== undefined) return { method: 'GET', path };
  const body = JSON.stringify({ ...PRODUCT, name: `${PRODUCT.name} ${String(process.pid)}-${String(sent)}` });
  return { method: 'POST', path: '/products', body };
}

/** Sends requests for a time or up to an amount; the sooner it looks, the sooner it sees that the last is answered. */
async function ask(target: Target, limit: { duration: number } | { amount: number }): Promise<Round> {
  const cpuOf = startCpu(target.pids);
  const { url, headers } = target;
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...requestTo(target) });
  const started = performance.now();
  let last = started;
  const asked = { url, headers, connections, requests: [{ setupRequest }], ...limit };
  const options = { ...asked, sampleInt: 10, timeout: TIMEOUT_S };
  const { latency, errors, non2xx, ...counts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error: Error | null, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
    run.on('response', () => (last = performance.now()));
  });
  if (errors + non2xx > 0)
    throw new Error(`${url}: ${String(errors)} errors, ${JSON.stringify(counts.statusCodeStats)}`);
  const count = counts['2xx'];
  const rate = (count * 1000) / (last - started);
  return { rate, 'median ms': latency.p50, '99 % ms': latency.p99, ...cpuOf(count) };
}

const order: readonly SideName[] = first === 'ours' ? ['ours', 'bare'] : ['bare', 'ours'];
const turns: Record<SideName, Round[]> = { ours: [], bare: [] };
const amounts: Record<SideName, number> = { ours: 0, bare: 0 };
for (const side of order) {
  const { rate } = await ask(sides[side], { duration: warmUpMs / 1000 });
  // A number of requests rather than a time: no request is abandoned that has cost processor time.
  amounts[side] = Math.max(connections, Math.round((rate * TURN_MS) / 1000));
}
for (let turn = 0; turn < ms / TURN_MS; turn += 1) {
  for (const side of order) turns[side].push(await ask(sides[side], { amount: amounts[side] }));
}
const of = (side: SideName): Round => medians(turns[side]);
print({ ours: of('ours'), bare: of('bare') } satisfies Pair);
