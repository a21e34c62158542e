import { createServer as createTls } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcp } from 'node:net';
import { gzipSync } from 'node:zlib';

import { AUTHORITY, EXPIRED, FOR_ANOTHER_HOST, FOR_LOCALHOST } from './certificates.spec-data.js';
import { OutboundHttp, type OutboundOptions } from './outbound-http.js';
import { RawServer } from './raw-server.spec-data.js';
import type { SendResult } from './send-result.js';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function outbound(options: Partial<OutboundOptions> = {}): OutboundHttp {
  const http = new OutboundHttp({ allowPrivate: true, totalMs: 800, connectMs: 300, ...options });
  closing.push(() => http.close());
  return http;
}

async function server(answer: (socket: Socket, request: string, count: number) => void): Promise<RawServer> {
  const raw = await RawServer.start(answer);
  closing.push(() => raw.stop());
  return raw;
}

function post(http: OutboundHttp, url: string, headers: Record<string, string> = {}): Promise<SendResult> {
  return http.post(url, { headers, body: Buffer.from('{"a":1}') });
}

function statusOf(result: SendResult): number | string {
  return result.kind === 'answered' ? result.status : result.reason;
}

describe('a call to an endpoint', () => {
  it('sends the exact bytes and headers and keeps the reply', async () => {
    const seen: string[] = [];
    const raw = await server((socket, request) => {
      seen.push(request);
      socket.write(OK);
    });
    const result = await post(outbound(), `${raw.url}?x=1`, { 'X-Kind': 'a' });
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
    expect(await post(outbound(), raw.url)).toMatchObject({ status: 429, retryAfter: '120' });
  });

  it('keeps 2 KiB of the reply and cuts no character in two', async () => {
    const body = 'a' + 'ü'.repeat(5000);
    const raw = await server((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`),
    );
    const result = await post(outbound(), raw.url);
    expect(result).toMatchObject({ reply: 'a' + 'ü'.repeat(1023) });
  });

  it('uses a connection again, and no more than five for one endpoint', async () => {
    const raw = await server((socket) => setTimeout(() => socket.write(OK), 20));
    const http = outbound();
    const results = await Promise.all(Array.from({ length: 20 }, () => post(http, raw.url)));
    expect(new Set(results.map(statusOf))).toEqual(new Set([200]));
    expect(raw.connections).toBe(5);
  });

  it('does not share connections between endpoints of one host', async () => {
    const raw = await server((socket, request) => {
      if (!request.startsWith('POST /slow')) socket.write(OK);
    });
    const http = outbound({ totalMs: 500 });
    const base = `http://127.0.0.1:${String(raw.port)}`;
    const slow = Array.from({ length: 5 }, () => post(http, `${base}/slow`));
    const fast = await post(http, `${base}/fast`);
    expect(fast).toMatchObject({ status: 200 });
    expect(fast.durationMs).toBeLessThan(400);
    await Promise.all(slow);
  });

  it('keeps connections of a bounded number of endpoints', async () => {
    const raw = await server((socket) => socket.write(OK));
    const http = outbound({ maxEndpoints: 3 });
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
    const result = await post(outbound(), raw.url);
    expect(statusOf(result)).toBe('timeout');
    expect(result.durationMs).toBeLessThan(1500);
  });

  it('is cut off when it stops after the headers', async () => {
    const raw = await server((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'));
    expect(statusOf(await post(outbound(), raw.url))).toBe('timeout');
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
    const result = await post(outbound(), raw.url);
    expect(statusOf(result)).toBe('timeout');
    expect(result.durationMs).toBeLessThan(1500);
    expect(dripped).toBeGreaterThan(5);
  });

  it('is cut off when it only ever promises to continue', async () => {
    const raw = await server((socket) => {
      const promise = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 50);
      socket.on('close', () => clearInterval(promise));
    });
    expect(statusOf(await post(outbound(), raw.url))).toBe('timeout');
  });

  it('is not sent to any more when the deadline comes while the call waits for a connection', async () => {
    const raw = await server((socket, _request, count) => {
      if (count > 5) socket.write(OK);
    });
    const http = outbound({ totalMs: 300 });
    const all = await Promise.all(Array.from({ length: 6 }, () => post(http, raw.url)));
    expect(all.map(statusOf)).toEqual(Array(6).fill('timeout'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(raw.requests).toBe(5);
  });

  it('fails at once where nobody listens', async () => {
    expect(statusOf(await post(outbound(), 'http://127.0.0.1:1/'))).toBe('connect');
  });

  it('fails when the connection is not made in time', async () => {
    const http = outbound({ totalMs: 10_000, connectMs: 300, resolve: () => new Promise(() => undefined) });
    const result = await post(http, 'http://never-resolved.example/');
    expect(statusOf(result)).toBe('connect_timeout');
    expect(result.durationMs).toBeLessThan(3000);
  });
});

describe('an endpoint that answers too much or nonsense', () => {
  it('is cut off behind 64 KiB, and its status counts', async () => {
    let sent = 0;
    const raw = await server((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n');
      const block = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!socket.destroyed && sent < 2 ** 30) {
          sent += block.length;
          if (!socket.write(block)) break;
        }
      };
      socket.on('drain', more);
      more();
    });
    const result = await post(outbound({ totalMs: 5000 }), raw.url);
    expect(result).toMatchObject({ status: 200, reply: 'x'.repeat(2048) });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toBeLessThan(20 * 2 ** 20);
  });

  it('is not inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 2 ** 20));
    const raw = await server((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${String(bomb.length)}\r\n\r\n`,
      );
      socket.write(bomb);
    });
    const result = await post(outbound(), raw.url);
    expect(result).toMatchObject({ status: 200 });
    expect(result.kind === 'answered' && result.reply.length).toBeLessThanOrEqual(2048);
  });

  it('fails with megabytes of headers', async () => {
    const raw = await server((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      for (let index = 0; index < 100; index += 1)
        socket.write(`x-${String(index)}: ${'y'.repeat(100_000)}\r\n`);
      socket.write('\r\n');
    });
    expect(statusOf(await post(outbound(), raw.url))).toBe('protocol');
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'protocol'],
    ['a bad status line', 'HTTP/1.1 abc\r\n\r\n', 'protocol'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'protocol'],
    ['a promise to continue that nobody asked for', 'HTTP/1.1 100 Continue\r\n\r\n', 'reset'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'reset',
    ],
  ])('fails with %s', async (_what, bytes, reason) => {
    const raw = await server((socket) => socket.write(bytes));
    expect(statusOf(await post(outbound(), raw.url))).toBe(reason);
  });

  it('may announce its answer first', async () => {
    const raw = await server((socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n${OK}`));
    expect(await post(outbound(), raw.url)).toMatchObject({ status: 200, reply: 'ok' });
  });
});

describe('an endpoint that breaks off', () => {
  it('is judged by its status line when the body breaks off', async () => {
    const raw = await server((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      );
    });
    expect(await post(outbound(), raw.url)).toMatchObject({ status: 200, reply: 'half' });
  });

  it('failed when it broke off before the status line', async () => {
    const raw = await server((socket) => socket.resetAndDestroy());
    expect(statusOf(await post(outbound(), raw.url))).toBe('reset');
  });

  it('costs nothing when it only closed a connection between two calls', async () => {
    const raw = await server((socket) => socket.write(OK, () => setTimeout(() => socket.destroy(), 20)));
    const http = outbound();
    for (let index = 0; index < 5; index += 1) {
      expect(statusOf(await post(http, raw.url))).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(raw.connections).toBe(5);
  });

  it('is not called again when a used connection broke off after the request was sent', async () => {
    const raw = await server((socket, _request, count) => {
      if (count === 1) socket.write(OK);
      else socket.destroy();
    });
    const http = outbound();
    expect(statusOf(await post(http, raw.url))).toBe(200);
    expect(statusOf(await post(http, raw.url))).toBe('reset');
    expect(raw.requests).toBe(2);
  });
});

describe('an endpoint that redirects', () => {
  it.each([301, 302, 303, 307, 308])('is not followed with %i', async (status) => {
    const inner = await server((socket) => socket.write(OK));
    const raw = await server((socket) =>
      socket.write(`HTTP/1.1 ${String(status)} Moved\r\nlocation: ${inner.url}\r\ncontent-length: 0\r\n\r\n`),
    );
    expect(await post(outbound(), raw.url)).toMatchObject({ kind: 'answered', status });
    expect(inner.requests).toBe(0);
  });
});

describe('an endpoint with TLS', () => {
  async function tlsServer(options: object): Promise<string> {
    const tls = createTls(options, (_request, response) => response.end('ok'));
    tls.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      tls.closeAllConnections();
      await new Promise((resolve) => tls.close(resolve));
    });
    return `https://localhost:${String((tls.address() as AddressInfo).port)}/`;
  }

  it('is called when its certificate is good', async () => {
    const url = await tlsServer(FOR_LOCALHOST);
    expect(await post(outbound({ ca: AUTHORITY }), url)).toMatchObject({ status: 200 });
  });

  it.each([
    ['expired', EXPIRED, { ca: AUTHORITY }],
    ["another host's", FOR_ANOTHER_HOST, { ca: AUTHORITY }],
    ['signed by nobody known', FOR_LOCALHOST, {}],
  ])('is not called when its certificate is %s', async (_what, keys, options) => {
    const url = await tlsServer(keys);
    expect(statusOf(await post(outbound(options), url))).toBe('tls');
  });

  it('is not called when it speaks TLS 1.0 only', async () => {
    const url = await tlsServer({
      ...FOR_LOCALHOST,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1',
      ciphers: 'ALL@SECLEVEL=0',
    });
    expect(statusOf(await post(outbound({ ca: AUTHORITY }), url))).toBe('tls');
  });

  it('is cut off when the handshake hangs', async () => {
    const tcp = createTcp(() => undefined);
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${String((tcp.address() as AddressInfo).port)}/`;
    const result = await post(outbound({ ca: AUTHORITY, totalMs: 5000 }), url);
    tcp.close();
    expect(statusOf(result)).toBe('connect_timeout');
    expect(result.durationMs).toBeLessThan(3000);
  });
});

describe('inner addresses', () => {
  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:7f00:1]/',
    'https://localhost/',
    'http://example.com/',
    'https://user@example.com/',
  ])('are refused as %s', async (url) => {
    expect(statusOf(await post(outbound({ allowPrivate: false }), url))).toBe('endpoint_refused');
  });

  it('are refused when a name means one at the time of the call, however often it changes', async () => {
    const raw = await server((socket) => socket.write(OK));
    const answers = [
      '127.0.0.1',
      '::1',
      '169.254.169.254',
      '10.0.0.1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
    ];
    const http = outbound({
      resolve: async () => [{ address: answers.shift() ?? '', family: 4 }],
    });
    for (let left = answers.length; left > 0; left -= 1) {
      const url = `http://rebinding.example:${String(raw.port)}/`;
      expect(statusOf(await post(http, url))).toBe('endpoint_refused');
    }
    expect(raw.connections).toBe(0);
  });

  it('are left out of a mixed answer', async () => {
    const raw = await server((socket) => socket.write(OK));
    const http = outbound({
      connectMs: 300,
      resolve: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    });
    expect(statusOf(await post(http, `http://mixed.example:${String(raw.port)}/`))).toBe('endpoint_refused');
    expect(raw.connections).toBe(0);
  });

  it('are not reached through a proxy of the environment', async () => {
    const proxy = await server((socket) => socket.write(OK));
    const raw = await server((socket) => socket.write(OK));
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = `http://127.0.0.1:${String(proxy.port)}`;
    try {
      expect(statusOf(await post(outbound(), raw.url))).toBe(200);
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    }
    expect(proxy.connections).toBe(0);
  });
});

describe('the end of the service', () => {
  it('ends calls that run', async () => {
    const raw = await server(() => undefined);
    const http = outbound({ totalMs: 10_000 });
    const running = post(http, raw.url);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await http.close();
    expect(statusOf(await running)).toBe('stopped');
  });
});
