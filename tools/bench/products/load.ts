import autocannon from 'autocannon';

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

export interface Load {
  readonly connections: number;
  readonly warmUpMs: number;
  /** For each side, in turns. */
  readonly ms: number;
}

const TURN_MS = 1000;
let sent = 0;

/**
 * Generates load on two servers in turns of a second, so that what slows the machine down for some seconds slows both
 * sides. Processor time is measured over the same turns in which the requests are counted.
 */
export async function load(
  sides: Readonly<Record<SideName, Target>>,
  first: SideName,
  { connections, warmUpMs, ms }: Load,
): Promise<Pair> {
  const order: readonly SideName[] = first === 'ours' ? ['ours', 'bare'] : ['bare', 'ours'];
  const turns: Record<SideName, Round[]> = { ours: [], bare: [] };
  const amounts: Record<SideName, number> = { ours: 0, bare: 0 };
  for (const side of order) {
    const { rate } = await ask(sides[side], { connections, duration: warmUpMs / 1000 });
    // A number of requests rather than a time: no request is abandoned that has cost processor time.
    amounts[side] = Math.max(connections, Math.round((rate * TURN_MS) / 1000));
  }
  for (let turn = 0; turn < ms / TURN_MS; turn += 1) {
    for (const side of order)
      turns[side].push(await ask(sides[side], { connections, amount: amounts[side] }));
  }
  return { ours: medians(turns.ours), bare: medians(turns.bare) };
}

/** Sends requests for a time or up to an amount; the sooner it looks, the sooner it sees that the last is answered. */
async function ask(
  target: Target,
  limit: Pick<autocannon.Options, 'connections' | 'duration' | 'amount'>,
): Promise<Round> {
  const cpuOf = startCpu(target.pids);
  const { url, headers } = target;
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...requestTo(target) });
  const options = { url, headers, requests: [{ setupRequest }], sampleInt: 10, ...limit };
  const { latency, errors, non2xx, duration, ...counts } = await autocannon(options);
  if (errors + non2xx > 0)
    throw new Error(`${url}: ${String(errors)} errors, ${JSON.stringify(counts.statusCodeStats)}`);
  const count = counts['2xx'];
  return { rate: count / duration, 'median ms': latency.p50, '99 % ms': latency.p99, ...cpuOf(count) };
}

function requestTo({ paths }: Target): Pick<autocannon.Request, 'method' | 'path' | 'body'> {
  sent += 1;
  const path = paths[sent % paths.length];
  if (path !== undefined) return { method: 'GET', path };
  const body = JSON.stringify({ ...PRODUCT, name: `${PRODUCT.name} ${String(process.pid)}-${String(sent)}` });
  return { method: 'POST', path: '/products', body };
}
