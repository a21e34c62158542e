/**
 * `npm run bench [-- names] [--quick] [--rounds N] [--profile FOLDER]`: benchmarks of the real processes, each
 * against a bare loop on the same servers. Full runs are kept in docs/benchmarks.md.
 */
import './stack/node-version.mjs';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './stack/prepare.mjs';
import { Processes } from './stack/processes.mjs';
import { createLog, elapsed, runScript, StartError } from './stack/report.mjs';
import { ROOT } from './stack/settings.mjs';
import { stopOnSignals } from './stack/signals.mjs';

const USAGE = `npm run bench -- [names] [options]

  names           a products, b deliveries, c billing; all when none is given
  --quick         short rounds, printed only
  --rounds N      pairs of rounds that count
  --profile DIR   V8 profiles of all processes go there; the numbers are then not kept
`;

await runScript(async () => {
  const { values, positionals } = readArguments();
  if (values.help) return void process.stdout.write(USAGE);
  const log = createLog([]);
  const processes = new Processes({ log });
  const signals = stopOnSignals(processes, log);
  try {
    await prepare({ processes, log });
    // Only now: what they import may have been installed a moment ago.
    const { runBenchmarks } = await import('../bench/run.mjs');
    const since = Date.now();
    await runBenchmarks({
      names: positionals,
      quick: values.quick,
      rounds: values.rounds === undefined ? null : Number(values.rounds),
      profile: values.profile === undefined ? null : profileFolder(values.profile),
      dataDir: () => mkdtempSync(join(realpathSync(tmpdir()), 'commerce-bench-')),
      page: join(ROOT, 'docs/benchmarks.md'),
      processes,
      log,
    });
    log('Done', `after ${elapsed(since)}`);
    return 0;
  } catch (error) {
    if (!signals.received()) throw error;
    await signals.stopped;
    return 130;
  } finally {
    await processes.stop();
  }
});

function readArguments() {
  try {
    const read = parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        profile: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (read.values.rounds !== undefined && !/^[1-9]\d?$/.test(read.values.rounds))
      throw new Error('--rounds is a number from 1 to 99');
    return read;
  } catch (error) {
    throw new StartError(`${error.message}\n\n${USAGE}`);
  }
}

function profileFolder(path) {
  const folder = resolve(path);
  mkdirSync(folder, { recursive: true });
  return folder;
}
