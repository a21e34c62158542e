import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { eventually } from '@commerce/testing';

import { World } from '../world.js';

/** As many as the API accepts in all. */
const TOTAL = 1000;

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const port = (): number => Number(new URL(world.baseUrl).port);

/** Connections that say nothing, from an address of this machine. */
async function silent(count: number, localAddress: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port: port(), host: '127.0.0.1', localAddress });
    return socket.on('error', () => undefined).resume();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

/** The reply to a request that is sent as it is. */
async function raw(request: string): Promise<string> {
  const socket = connect(port(), '127.0.0.1');
  socket.write(request);
  return text(socket);
}

const isOpen = (socket: Socket): boolean => !socket.closed;

describe('connections', () => {
  it('of one address shut nobody out, and silent ones end', async () => {
    const greedy = await silent(TOTAL, '127.0.0.2');
    expect((await world.admin.get('/products')).status).toBe(200);
    const share = greedy.filter(isOpen).length;
    expect(share).toBeLessThan(TOTAL / 2);
    // Of its own connections, an address loses the silent ones first: a busy server is not refused.
    const asked = await Promise.all(
      Array.from({ length: 100 }, () => world.admin.get('/products', { size: 1 })),
    );
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
    await eventually(
      () => greedy.filter(isOpen).length,
      (open) => open === 0,
      20_000,
    );
  }, 60_000);

  it('of many addresses leave room for one more', async () => {
    const groups = await Promise.all(
      Array.from({ length: 10 }, (_, index) => silent(TOTAL / 10, `127.0.1.${String(index + 1)}`)),
    );
    expect((await world.admin.get('/products')).status).toBe(200);
    for (const socket of groups.flat()) socket.destroy();
  }, 60_000);
});

describe('a request target', () => {
  it.each(['http://x:99999999/', 'http://[x/', 'ftp://x/products'])(
    '%s is refused with 400',
    async (target) => {
      const reply = await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(reply).toMatch(/^HTTP\/1\.1 400 /);
      expect(reply).toContain('"code":"target.invalid"');
    },
  );

  it('in absolute form is read as its path', async () => {
    const keys = `X-Service-Api-Key: ${world.apiKey}\r\nAuthorization: Bearer ${world.serviceKey}`;
    const target = 'http://x:80/products?size=1';
    const reply = await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\n${keys}\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    expect(reply).toContain('</products?size=1');
  });
});
