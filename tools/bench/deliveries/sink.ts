/** The receiver of both sides: keeps nothing, so that it takes little of the shared cores. */
import { createServer } from 'node:http';

import { variable } from '../measure/connect.js';

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.end('ok'));
});

server.listen(Number(variable('BENCH_PORT')), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
