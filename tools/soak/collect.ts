/**
 * Loaded into the processes before their own code: on SIGCONT all garbage is collected, and what is then in use written
 * to SOAK_FOLDER/<pid>.json. Resident memory alone does not show a leak, since V8 gives memory back late. (Nest takes
 * SIGUSR2 for the wish to shut down.)
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';

const { SOAK_FOLDER: folder = '.', SOAK_SNAPSHOTS: snapshots } = process.env;

const session = new Session();
session.connect();
let count = 0;

process.on('SIGCONT', () => {
  session.post('HeapProfiler.collectGarbage', (error) => {
    if (error) throw error;
    const { heapUsed, external } = process.memoryUsage();
    const path = join(folder, `${String(process.pid)}.json`);
    // Renamed, so that nobody reads half of it.
    writeFileSync(`${path}.new`, JSON.stringify({ heapUsed, external }));
    renameSync(`${path}.new`, path);
    count += 1;
    if (snapshots !== undefined)
      writeHeapSnapshot(join(snapshots, `${String(process.pid)}-${String(count)}.heapsnapshot`));
  });
});
