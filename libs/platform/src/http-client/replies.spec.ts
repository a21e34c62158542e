import { gzipSync } from 'node:zlib';

import { OK, client, closeAll, post, server, statusOf } from './calls.spec-data.js';

/** No test here reaches its deadline. */
const PATIENT = { totalMs: 10_000, connectMs: 10_000 };

afterEach(closeAll);

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
    const result = await post(client(PATIENT), raw.url);
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
    const result = await post(client(PATIENT), raw.url);
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
    expect(statusOf(await post(client(PATIENT), raw.url))).toBe('protocol');
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
    expect(statusOf(await post(client(PATIENT), raw.url))).toBe(reason);
  });

  it('may announce its answer first', async () => {
    const raw = await server((socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n${OK}`));
    expect(await post(client(PATIENT), raw.url)).toMatchObject({ status: 200, reply: 'ok' });
  });
});

describe('an endpoint that breaks off', () => {
  it('is judged by its status line when the body breaks off', async () => {
    const raw = await server((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      );
    });
    expect(await post(client(PATIENT), raw.url)).toMatchObject({ status: 200, reply: 'half' });
  });

  it('failed when it broke off before the status line', async () => {
    const raw = await server((socket) => socket.resetAndDestroy());
    expect(statusOf(await post(client(PATIENT), raw.url))).toBe('reset');
  });

  it('costs nothing when it only closed a connection between two calls', async () => {
    const raw = await server((socket) => socket.write(OK, () => setTimeout(() => socket.destroy(), 20)));
    const http = client(PATIENT);
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
    const http = client(PATIENT);
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
    expect(await post(client(PATIENT), raw.url)).toMatchObject({ kind: 'answered', status });
    expect(inner.requests).toBe(0);
  });
});
