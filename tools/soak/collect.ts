/**
 * Preloaded into the processes. On SIGCONT it collects all garbage and writes the memory still in use to
 * SOAK_FOLDER/<pid>.json, because V8 returns memory late and resident memory alone does not show a leak. (Nest takes
 * SIGUSR2 as a request to shut down.)
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

const { SOAK_FOLDER: folder = '.' } = process.env;

const session = new Session();
session.connect();

process.on('SIGCONT', () => {
  session.post('HeapProfiler.collectGarbage', (error) => {
    if (error) throw error;
    const { heapUsed, external } = process.memoryUsage();
    const path = join(folder, `${String(process.pid)}.json`);
    // Renamed, so that a reader never sees an incomplete file.
    writeFileSync(`${path}.new`, JSON.stringify({ heapUsed, external }));
    renameSync(`${path}.new`, path);
  });
});
