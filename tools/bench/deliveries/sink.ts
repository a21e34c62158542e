/**
 * Where both sides send: reads each call to its end, counts it and answers 200. It keeps nothing, unlike the receiver
 * of the tests, so that it takes as little as possible of the cores that it shares with what is measured.
 */
import { createServer } from 'node:http';

import { variable } from '../child.js';

let calls = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
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
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
