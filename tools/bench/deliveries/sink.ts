/** The receiver of both sides: counts the calls and keeps nothing, so that it takes little of the shared cores. */
import { createServer } from 'node:http';

import { variable } from '../measure/connect.js';

let calls = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ calls }));
    return;
  }
  request.resume();
  request.once('end', () => {
    calls += 1;
    response.end('ok');
  });
});

server.listen(Number(variable('BENCH_PORT')), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
