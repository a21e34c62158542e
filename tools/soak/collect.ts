/**
 * Loaded into the API and the worker before their own code: on SIGUSR2 it has all garbage collected and writes what is
 * then in use to SOAK_FOLDER/<pid>.json. Resident memory alone does not show a leak, since V8 gives memory back late.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { SOAK_FOLDER: folder = '.', SOAK_SNAPSHOTS: snapshots } = process.env;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
let count = 0;

process.on('SIGUSR2', () => {
  // The first collection runs finalizers, whose objects the second one frees.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const path = join(folder, `${String(process.pid)}.json`);
  // Renamed, so that nobody reads half of it.
  writeFileSync(`${path}.new`, JSON.stringify({ heapUsed, external }));
  renameSync(`${path}.new`, path);
  count += 1;
  if (snapshots !== undefined)
    writeHeapSnapshot(join(snapshots, `${String(process.pid)}-${String(count)}.heapsnapshot`));
});
