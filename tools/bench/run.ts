import { startStack } from '../scripts/stack/stack.mjs';
import { StartError } from '../scripts/stack/report.mjs';
import { billing } from './billing/billing.bench.mjs';
import { makeContext } from './context.mjs';
import { benchEnv, openDatabases, requireEmptyRedis } from './databases.mjs';
import { deliveries } from './deliveries/deliveries.bench.mjs';
import { products } from './products/products.bench.mjs';
import { describeMachine } from './report/machine.mjs';
import { keep, sectionOf } from './report/page.mjs';
import { ratioLine, tableOf } from './report/text.mjs';

/** In the order of their sections on the page. */
const ALL = [products, deliveries, billing];

const FULL = { rounds: 5, ms: 5000, things: 5000 };
const QUICK = { rounds: 2, ms: 1500, things: 2000 };

/**
 * Runs benchmarks one after the other, each on databases and processes of its own, so that none finds the data of
 * another.
 *
 * @param {object} options
 * @param {string[]} options.names letters or names; all when empty
 * @param {boolean} options.quick
 * @param {number | null} options.rounds
 * @param {string | null} options.profile folder for V8's profiles
 * @param {() => string} options.dataDir makes a folder that is removed afterwards
 * @param {string} options.page where full runs are kept
 * @param {import('../scripts/stack/processes.mjs').Processes} options.processes
 * @param {import('../scripts/stack/report.mjs').Log} options.log
 */
export async function runBenchmarks(options) {
  const { quick, rounds, profile, page, log } = options;
  const scale = { ...(quick ? QUICK : FULL), ...(rounds === null ? {} : { rounds }) };
  const found = new Map();
  for (const benchmark of chosen(options.names)) {
    const { measured, machine } = await runOne(benchmark, scale, options);
    found.set(benchmark.name, sectionOf(benchmark, measured, machine, scale));
    log(benchmark.title, `\n${tableOf(measured)}`);
    for (const one of measured) log(benchmark.title, ratioLine(one));
  }
  if (quick || profile !== null) return;
  keep(page, ALL, found);
  log('Kept', page);
}

function profiled(folder) {
  const script = new URL('./measure/profile.mjs', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${script}`, BENCH_PROFILE: folder };
}

function chosen(names) {
  if (names.length === 0) return ALL;
  return names.map((name) => {
    const one = ALL.find((benchmark) => [benchmark.key, benchmark.name].includes(name));
    if (!one)
      throw new StartError(
        `There is no benchmark ${name}. There are ${ALL.map(({ key, name }) => `${key} (${name})`).join(', ')}.`,
      );
    return one;
  });
}

async function runOne(benchmark, scale, { dataDir: makeDataDir, profile, processes, log }) {
  const env = { ...benchEnv(process.env), ...benchmark.env };
  if (profile !== null) Object.assign(env, profiled(profile));
  await requireEmptyRedis(env.REDIS_URL);
  const dataDir = makeDataDir();
  const before = processes.children;
  const stack = await startStack({
    dataDir,
    ephemeral: true,
    processes: benchmark.apps,
    env,
    owner: processes,
    log: (area, text) => log(benchmark.name, `${area}: ${text}`),
  });
  const { db, redis, close } = await openDatabases(stack, env);
  try {
    const machine = await describeMachine(db, redis, stack);
    const say = (text) => log(benchmark.name, text);
    const context = await makeContext({ stack, db, processes, log, dataDir, scale, say });
    return { measured: await benchmark.run(context), machine };
  } finally {
    await close();
    await endSince(before, processes);
  }
}

/** Ends what one benchmark started, apps before databases; the next one starts its own. */
async function endSince(before, processes) {
  const mine = processes.children.filter((child) => !before.includes(child));
  for (const stage of [2, 1, 0])
    await Promise.all(mine.filter((child) => child.stage === stage).map((child) => child.stop()));
}
