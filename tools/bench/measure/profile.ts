/**
 * Loaded before a process's own code by `--profile`: writes V8's profile of the process, from start to end, into
 * BENCH_PROFILE. Node refuses its own --cpu-prof where options come through the environment.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { basename, dirname, join } from 'node:path';

const { BENCH_PROFILE: folder = '.' } = process.env;
const [, script = 'node'] = process.argv;
// Every app is called main.js: the folders above it name the app.
const name = basename(script) === 'main.js' ? basename(dirname(dirname(script))) : basename(script, '.js');
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');

// A session in its own thread answers before post returns, so this is in time.
process.once('exit', () => {
  session.post('Profiler.stop', (error, result) => {
    if (error) return;
    const path = join(folder, `${name}-${String(process.pid)}.cpuprofile`);
    writeFileSync(path, JSON.stringify(result.profile));
  });
});
