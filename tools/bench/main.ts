import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf, StartError } from '#scripts/system/errors.mjs';
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

const USAGE =
  'npm run bench -- [a] [b] [c] [d] [e] [f] [--quick]: docs/benchmarks.md says what each measures';

const ALL = new Map([
  ['a', products],
  ['b', deliveries],
  ['c', billing],
  ['d', farBilling],
  ['e', search],
  ['f', invoices],
]);

const FULL: Scale = { rounds: 7, ms: 2000, things: 4000, searched: 4000 };
const QUICK: Scale = { rounds: 2, ms: 1000, things: 1500, searched: 2000 };

const PAGE = join(ROOT, 'docs/benchmarks.md');

/**
 * Runs benchmarks of the real processes, each against a bare loop on the same servers, one after the other on databases
 * and processes of its own. The numbers of full runs on an idle machine are kept in docs/benchmarks.md.
 */
export async function main(tool: ToolContext): Promise<number> {
  const { quick, benchmarks } = readArguments(tool.args);
  const [load = 0] = loadavg();
  for (const benchmark of benchmarks) {
    const { measured, facts } = await runOne(benchmark, quick ? QUICK : FULL, tool);
    const numbers = numbersOf(measured, facts);
    const reason = quick ? 'a short run' : unkeptFor(load, measured);
    if (reason === null) keep(PAGE, benchmark.name, numbers);
    tool.log(benchmark.name, `\n${numbers}\n${reason === null ? `kept in ${PAGE}` : `not kept: ${reason}`}`);
  }
  return 0;
}

function readArguments(args: readonly string[]): { quick: boolean; benchmarks: Benchmark[] } {
  try {
    const options = { quick: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const letters = positionals.length === 0 ? [...ALL.keys()] : positionals;
    return { ...values, benchmarks: letters.map(benchmarkOf) };
  } catch (error) {
    throw new StartError(`${messageOf(error)}\n\n${USAGE}`);
  }
}

function benchmarkOf(letter: string): Benchmark {
  const found = ALL.get(letter);
  if (found === undefined) throw new Error(`There is no benchmark ${letter}`);
  return found;
}
