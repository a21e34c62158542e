import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf, StartError } from '#scripts/system/errors.mjs';
import { elapsed } from '#scripts/system/report.mjs';
import { ROOT } from '#scripts/system/settings.mjs';

import type { ToolContext } from '@commerce/stack';

import type { Benchmark } from './benchmark.js';
import { billing, farBilling } from './billing/billing-benchmark.js';
import { deliveries } from './deliveries/deliveries-benchmark.js';
import { products } from './products/products-benchmark.js';
import { keep, sectionOf } from './report/page.js';
import { unkeptFor } from './report/worth-keeping.js';
import { ratioLine, tableOf } from './report/text.js';
import { runOne } from './run-one.js';
import type { Scale } from './scale.js';
import { search } from './search/search-benchmark.js';

const USAGE = `npm run bench -- [names] [options]

  names           a products, b deliveries, c billing, d far-billing,
                  e search; all when none is given
  --quick         short rounds, printed only
  --rounds N      pairs of rounds that count
  --products N    products to read, list and search
  --searched N    products of one company, of five, in the searches at size
  --profile DIR   V8 profiles of all processes go there; the numbers are then not kept
`;

/** In the order of their sections on the page. */
const ALL: readonly Benchmark[] = [products, deliveries, billing, farBilling, search];

const FULL: Scale = { rounds: 7, ms: 2000, things: 4000, products: 500, searched: 4000 };
const QUICK: Scale = { rounds: 2, ms: 1000, things: 1500, products: 500, searched: 2000 };

const PAGE = join(ROOT, 'docs/benchmarks.md');

/**
 * `npm run bench [-- names] [--quick] [--rounds N] [--profile FOLDER]`: benchmarks of the real processes, each against
 * a bare loop on the same servers, one after the other and each on databases and processes of its own, so that none
 * finds the data of another. Full runs are kept in docs/benchmarks.md where the machine had nothing else to do.
 */
export async function main({ args, env, processes, log }: ToolContext): Promise<number> {
  const { values, positionals } = readArguments(args);
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const since = performance.now();
  const [load = 0] = loadavg();
  const scale = {
    ...(values.quick ? QUICK : FULL),
    ...roundsIn(values.rounds),
    ...numberIn('products', values.products),
    ...numberIn('searched', values.searched),
  };
  const profile = values.profile === undefined ? null : profileFolder(values.profile);
  const found = new Map<string, string>();
  for (const benchmark of chosen(positionals)) {
    const dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'commerce-bench-'));
    const { measured, machine } = await runOne(benchmark, {
      scale,
      load,
      profile,
      dataDir,
      env,
      processes,
      log,
    });
    log(benchmark.title, `\n${tableOf(measured)}`);
    for (const one of measured) log(benchmark.title, ratioLine(one));
    const reason = values.quick || profile !== null ? 'a short or profiled run' : unkeptFor(load, measured);
    if (reason === null) found.set(benchmark.name, sectionOf(benchmark, measured, machine, scale));
    else log(benchmark.title, `not kept: ${reason}`);
  }
  if (found.size > 0) {
    keep(PAGE, ALL, found);
    log('Kept', `${[...found.keys()].join(', ')} in ${PAGE}`);
  }
  log('Done', `after ${elapsed(since)}`);
  return 0;
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        products: { type: 'string' },
        searched: { type: 'string' },
        profile: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new StartError(`${messageOf(error)}\n\n${USAGE}`);
  }
}

function roundsIn(text: string | undefined): Partial<Scale> {
  if (text === undefined) return {};
  if (!/^[1-9]\d?$/.test(text)) throw new StartError(`--rounds is a number from 1 to 99\n\n${USAGE}`);
  return { rounds: Number(text) };
}

function numberIn(name: 'products' | 'searched', text: string | undefined): Partial<Scale> {
  if (text === undefined) return {};
  if (!/^[1-9]\d{2,6}$/.test(text))
    throw new StartError(`--${name} is a number from 100 to 9999999\n\n${USAGE}`);
  return { [name]: Number(text) };
}

function profileFolder(path: string): string {
  const folder = resolve(path);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function chosen(names: readonly string[]): readonly Benchmark[] {
  if (names.length === 0) return ALL;
  return names.map((name) => {
    const one = ALL.find((benchmark) => [benchmark.key, benchmark.name].includes(name));
    if (one) return one;
    const known = ALL.map((benchmark) => `${benchmark.key} (${benchmark.name})`).join(', ');
    throw new StartError(`There is no benchmark ${name}. There are ${known}.`);
  });
}
