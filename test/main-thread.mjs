/** Loaded by a process under test: says for how long at most its main thread computed without a turn for others. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** Of the main thread, in milliseconds; a busy machine does not lengthen it. */
const computed = () =>
  Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6;

const port = Number(process.env['MAIN_THREAD_PORT']);
if (port > 0 && process.argv[1]?.includes('api')) {
  let [last, longest] = [computed(), 0];
  setInterval(() => {
    const now = computed();
    longest = Math.max(longest, now - last);
    last = now;
  }, 2).unref();
  const server = createServer((_, response) => {
    response.end(String(longest));
    longest = 0;
  });
  server.listen(port, '127.0.0.1').unref();
}
