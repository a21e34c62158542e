/**
 * Loaded before a process's own code by `--profile`; writes V8's profile of the process into a folder. Node refuses its
 * own --cpu-prof where options come through the environment.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { basename, extname, join } from 'node:path';

const { BENCH_PROFILE: folder = '.' } = process.env;
const [, script = 'node'] = process.argv;
const name = `${basename(script, extname(script))}-${String(process.pid)}.cpuprofile`;
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
// A session in its own thread answers before post returns, so this is in time.
process.once('exit', () => {
  session.post('Profiler.stop', (error, result) => {
    if (error === null) writeFileSync(join(folder, name), JSON.stringify(result.profile));
  });
});
