/** Where both sides send: reads each call to its end, counts it and answers 200. */
import { createServer } from 'node:http';

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

server.listen(Number(process.env.BENCH_PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
