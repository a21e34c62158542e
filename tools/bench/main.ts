import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf, StartError } from '#scripts/system/errors.mjs';
import { elapsed } from '#scripts/system/report.mjs';
import { ROOT } from '#scripts/system/settings.mjs';

import type { ToolContext } from '@commerce/stack';

import { billing, farBilling } from './billing/billing-benchmark.js';
import type { Benchmark, Scale } from './context.js';
import { deliveries } from './deliveries/deliveries-benchmark.js';
import { invoices } from './invoices/invoices-benchmark.js';
import { products } from './products/products-benchmark.js';
import { search } from './products/search-benchmark.js';
import { keep, numbersOf, unkeptFor } from './report.js';
import { runOne } from './run-one.js';

const USAGE = `npm run bench -- [names] [options]

  names           a products, b deliveries, c billing, d far-billing,
                  e search, f invoices; all when none is given
  --quick         short rounds, printed only
  --profile DIR   V8 profiles of the servers go there; the numbers are then not kept
`;

const ALL = {
  a: products,
  b: deliveries,
  c: billing,
  d: farBilling,
  e: search,
  f: invoices,
} as const satisfies Readonly<Record<string, Benchmark>>;

const FULL: Scale = { rounds: 7, ms: 2000, things: 4000, products: 500, searched: 4000 };
const QUICK: Scale = { rounds: 2, ms: 1000, things: 1500, products: 500, searched: 2000 };

const PAGE = join(ROOT, 'docs/benchmarks.md');

/**
 * Runs benchmarks of the real processes, each against a bare loop on the same servers, one after the other on databases
 * and processes of its own. The numbers of full runs on an idle machine are kept in docs/benchmarks.md.
 */
export async function main({ args, env, processes, log }: ToolContext): Promise<number> {
  const { help, quick, profile: folder, benchmarks } = readArguments(args);
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const since = performance.now();
  const [load = 0] = loadavg();
  const scale = quick ? QUICK : FULL;
  const profile = folder === undefined ? null : resolve(folder);
  if (profile !== null) mkdirSync(profile, { recursive: true });
  for (const benchmark of benchmarks) {
    const dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'commerce-bench-'));
    const say = (text: string): void => log(benchmark.name, text);
    const run = { scale, profile, dataDir, env, processes, log, say };
    const { measured, facts } = await runOne(benchmark, run);
    const numbers = numbersOf(measured, facts);
    say(`\n${numbers}`);
    const reason = quick || profile !== null ? 'a short or profiled run' : unkeptFor(load, measured);
    if (reason === null) keep(PAGE, benchmark.name, numbers);
    say(reason === null ? `kept in ${PAGE}` : `not kept: ${reason}`);
  }
  log('Done', `after ${elapsed(since)}`);
  return 0;
}

function readArguments(args: readonly string[]) {
  try {
    const options = {
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const names = positionals.length === 0 ? Object.keys(ALL) : positionals;
    return { ...values, benchmarks: names.map(benchmarkNamed) };
  } catch (error) {
    throw new StartError(`${messageOf(error)}\n\n${USAGE}`);
  }
}

function benchmarkNamed(asked: string): Benchmark {
  const found = Object.entries(ALL).find(([key, { name }]) => [key, name].includes(asked));
  if (found === undefined) throw new Error(`There is no benchmark ${asked}`);
  return found[1];
}
