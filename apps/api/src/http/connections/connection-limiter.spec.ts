import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { ConnectionLimiter, type ConnectionLimits } from './connection-limiter.js';

const LIMITS: ConnectionLimits = { total: 6, perAddress: 4, newMs: 60_000, idleMs: 60_000 };

let server: Server;
let refused: string[];
let held: ServerResponse[];
let sockets: Socket[];

/** A server that holds /held, refuses /refused with 429, and answers anything else. */
async function serving(
  limits: Partial<ConnectionLimits> = {},
  proxies: readonly string[] = [],
): Promise<void> {
  [refused, held, sockets] = [[], [], []];
  server = createServer((request, response) => {
    if (request.url === '/held') held.push(response);
    else response.writeHead(request.url === '/refused' ? 429 : 200).end();
  });
  const isProxy = (address: string): boolean => proxies.includes(address);
  const onRefused = (address: string): unknown => refused.push(address);
  new ConnectionLimiter({ ...LIMITS, ...limits }, { isProxy, onRefused }).guard(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

/** A connection from an address of this machine. */
async function from(localAddress: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined).resume();
  sockets.push(socket);
  await once(socket, 'connect');
  await pause(20);
  return socket;
}

async function many(count: number, address: string): Promise<Socket[]> {
  const made: Socket[] = [];
  for (let index = 0; index < count; index += 1) made.push(await from(address));
  return made;
}

async function asks(socket: Socket, path = '/'): Promise<void> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  await pause(30);
}

/** Whether each connection is open, once the server had time to close them. */
async function areOpen(all: readonly Socket[]): Promise<boolean[]> {
  await pause(50);
  return all.map((socket) => !socket.closed);
}

describe('the connections of a server', () => {
  it('of one address are a share, whose longest silent one goes first', async () => {
    await serving();
    const own = await many(4, '127.0.0.1');
    await asks(own[0]!);
    const fifth = await from('127.0.0.1');
    expect(await areOpen([...own, fifth])).toEqual([true, false, true, true, true]);
    expect(refused).toEqual([]);
  });

  it('are refused beyond the share while all are busy, and others are not', async () => {
    await serving();
    const own = await many(4, '127.0.0.1');
    for (const socket of own) await asks(socket, '/held');
    const [fifth, other] = [await from('127.0.0.1'), await from('127.0.0.2')];
    expect(await areOpen([...own, fifth, other])).toEqual([true, true, true, true, false, true]);
    expect(refused).toEqual(['127.0.0.1']);
    held.forEach((response) => response.end());
    await pause(30);
    expect(await areOpen([await from('127.0.0.1')])).toEqual([true]);
  });

  it('make room for a newcomer: a silent one of the address with the most goes', async () => {
    await serving();
    const [few] = [await many(2, '127.0.0.2')];
    const most = await many(4, '127.0.0.1');
    const newcomer = await from('127.0.0.3');
    expect(await areOpen([...few, ...most, newcomer])).toEqual([true, true, false, true, true, true, true]);
  });

  it('of a trusted proxy have no share, but the total', async () => {
    await serving({}, ['127.0.0.1']);
    const proxy = await many(7, '127.0.0.1');
    expect((await areOpen(proxy)).filter(Boolean)).toHaveLength(6);
    const direct = await from('127.0.0.2');
    expect(await areOpen([direct])).toEqual([true]);
  });

  it('end when nothing came of them in time, and a 429 gives no more', async () => {
    await serving({ newMs: 1000, idleMs: 5000 });
    const [silent, refusedOne, served] = await many(3, '127.0.0.1');
    await asks(served!);
    for (let left = 8; left > 0; left -= 1) {
      if (!refusedOne!.closed) await asks(refusedOne!, '/refused');
      await pause(250);
    }
    expect(await areOpen([silent!, refusedOne!, served!])).toEqual([false, false, true]);
  });
});
