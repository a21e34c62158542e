import { Pool } from 'undici';

import { OK, atTheEnd, client, closeAll, post, server, statusOf } from './calls.spec-data.js';
import { Exchange } from './exchange.js';
import type { SendResult } from './send-result.js';

afterEach(closeAll);

describe('a call to an endpoint', () => {
  it('sends the exact bytes and headers and keeps the reply', async () => {
    const seen: string[] = [];
    const raw = await server((socket, request) => {
      seen.push(request);
      socket.write(OK);
    });
    const result = await post(client(), `${raw.url}?x=1`, { 'X-Kind': 'a' });
    expect(result).toMatchObject({ kind: 'answered', status: 200, reply: 'ok', retryAfter: null });
    expect(seen[0]).toMatch(/^POST \/hook\?x=1 HTTP\/1\.1\r\n/);
    expect(seen[0]).toContain('X-Kind: a\r\n');
    expect(seen[0]).toContain('content-length: 7\r\n');
    expect(seen[0]).toMatch(/\r\n\r\n\{"a":1\}$/);
  });

  it('gives the Retry-After of an answer', async () => {
    const raw = await server((socket) =>
      socket.write('HTTP/1.1 429 Slow Down\r\nRetry-After: 120\r\ncontent-length: 0\r\n\r\n'),
    );
    expect(await post(client(), raw.url)).toMatchObject({ status: 429, retryAfter: '120' });
  });

  it('keeps 2 KiB of the reply and cuts no character in two', async () => {
    const body = 'a' + 'ü'.repeat(5000);
    const raw = await server((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`),
    );
    const result = await post(client(), raw.url);
    expect(result).toMatchObject({ reply: 'a' + 'ü'.repeat(1023) });
  });

  it('uses a connection again, and no more than five for one endpoint', async () => {
    const raw = await server((socket) => setTimeout(() => socket.write(OK), 20));
    const http = client();
    const results = await Promise.all(Array.from({ length: 20 }, () => post(http, raw.url)));
    expect(new Set(results.map(statusOf))).toEqual(new Set([200]));
    expect(raw.connections).toBe(5);
  });

  it('does not share connections between endpoints of one host', async () => {
    const raw = await server((socket, request) => {
      if (!request.startsWith('POST /slow')) socket.write(OK);
    });
    const http = client({ totalMs: 500 });
    const base = `http://127.0.0.1:${String(raw.port)}`;
    const slow = Array.from({ length: 5 }, () => post(http, `${base}/slow`));
    const fast = await post(http, `${base}/fast`);
    expect(fast).toMatchObject({ status: 200 });
    expect(fast.durationMs).toBeLessThan(400);
    await Promise.all(slow);
  });

  it('keeps connections of a bounded number of endpoints', async () => {
    const raw = await server((socket) => socket.write(OK));
    const http = client({ maxEndpoints: 3 });
    for (let index = 0; index < 10; index += 1) {
      expect(statusOf(await post(http, `${raw.url}/${String(index)}`))).toBe(200);
    }
    expect(raw.connections).toBe(10);
    expect((http as unknown as { pools: { size: number } }).pools.size).toBe(3);
  });
});

describe('an endpoint that does not answer', () => {
  it('is cut off when it never answers', async () => {
    const raw = await server(() => undefined);
    const result = await post(client(), raw.url);
    expect(statusOf(result)).toBe('timeout');
    expect(result.durationMs).toBeLessThan(1500);
  });

  it('is cut off when it stops after the headers', async () => {
    const raw = await server((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'));
    expect(statusOf(await post(client(), raw.url))).toBe('timeout');
  });

  it('is cut off when it drips a byte now and then', async () => {
    let dripped = 0;
    const raw = await server((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const drip = setInterval(() => {
        dripped += 1;
        socket.write('.');
      }, 50);
      socket.on('close', () => clearInterval(drip));
    });
    const result = await post(client(), raw.url);
    expect(statusOf(result)).toBe('timeout');
    expect(result.durationMs).toBeLessThan(1500);
    expect(dripped).toBeGreaterThan(5);
  });

  it('is cut off when it only ever promises to continue', async () => {
    const raw = await server((socket) => {
      const promise = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 50);
      socket.on('close', () => clearInterval(promise));
    });
    expect(statusOf(await post(client(), raw.url))).toBe('timeout');
  });

  it('is not sent to any more when the deadline comes while the call waits for a connection', async () => {
    const raw = await server(() => undefined);
    const origin = `http://127.0.0.1:${String(raw.port)}`;
    const pool = new Pool(origin, { connections: 1, pipelining: 1 });
    atTheEnd(() => pool.destroy());
    const send = (totalMs: number): Promise<SendResult> =>
      new Promise((settle) => {
        const request = { origin, path: '/hook', method: 'POST', body: '{}' } as const;
        pool.dispatch(request, new Exchange(totalMs, settle));
      });
    // The first holds the only connection until long after the deadline of the second, then lets go of it.
    const all = await Promise.all([send(600), send(200)]);
    expect(all.map(statusOf)).toEqual(['timeout', 'timeout']);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(raw.requests).toBe(1);
  });

  it('fails at once where nobody listens', async () => {
    expect(statusOf(await post(client(), 'http://127.0.0.1:1/'))).toBe('connect');
  });

  it('fails when the connection is not made in time', async () => {
    const http = client({ totalMs: 10_000, connectMs: 300, resolve: () => new Promise(() => undefined) });
    const result = await post(http, 'http://never-resolved.example/');
    expect(statusOf(result)).toBe('connect_timeout');
    expect(result.durationMs).toBeLessThan(3000);
  });
});
