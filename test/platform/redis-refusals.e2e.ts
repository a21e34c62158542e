import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { JobQueue } from '@commerce/jobs';

import { World } from '../world.js';

const SECONDS = 6;

/** The commands that a client sends at each connection, which a Redis in any state answers. */
const HANDSHAKE = new Set(['HELLO', 'AUTH', 'CLIENT', 'SELECT', 'INFO', 'ROLE', 'PING']);
const INFO = 'redis_mode:standalone\r\nrole:master\r\nloading:0';

/** A Redis that refuses all work, or each connection, and counts how often. */
class RefusingRedis {
  refused = 0;
  connected = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => this.accept(socket));

  constructor(private readonly refusal: string) {}

  async url(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `redis://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private accept(socket: Socket): void {
    this.connected += 1;
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    if (this.refusal.startsWith('ERR max')) {
      socket.end(`-${this.refusal}\r\n`);
      return;
    }
    let rest = '';
    socket.on('data', (data) => {
      const { names, left } = commandsIn(rest + data.toString('latin1'));
      rest = left;
      for (const name of names) socket.write(this.answer(name));
    });
  }

  private answer(name: string): string {
    if (name === 'INFO' && !this.refusal.startsWith('LOADING'))
      return `$${String(INFO.length)}\r\n${INFO}\r\n`;
    if (HANDSHAKE.has(name) && name !== 'INFO') return '+OK\r\n';
    this.refused += 1;
    return `-${this.refusal}\r\n`;
  }
}

/** The names of the complete commands in what a client has sent, and the text after them. */
function commandsIn(text: string): { names: string[]; left: string } {
  const names: string[] = [];
  let left = text;
  for (;;) {
    const parts: string[] = [];
    const [head, count = '0'] = /^\*(\d+)\r\n/.exec(left) ?? [''];
    let at = head.length;
    while (parts.length < Number(count)) {
      const [size, length = '0'] = /^\$(\d+)\r\n/.exec(left.slice(at, at + 20)) ?? [''];
      const end = at + size.length + Number(length);
      if (size === '' || left.length < end + 2) return { names, left };
      parts.push(left.slice(at + size.length, end));
      at = end + 2;
    }
    if (head === '') return { names, left };
    names.push((parts[0] ?? '').toUpperCase());
    left = left.slice(at);
  }
}

// A world leaves its settings behind.
const { REDIS_URL } = process.env;
beforeEach(() => {
  process.env['REDIS_URL'] = REDIS_URL;
});

describe('A Redis that refuses', () => {
  it.each([
    'MOVED 866 127.0.0.1:1',
    "READONLY You can't write against a read only replica.",
    'LOADING Redis is loading the dataset in memory',
    'ERR max number of clients reached',
    'NOAUTH Authentication required.',
  ])('with %s is asked at most once a second by each connection', async (refusal) => {
    const redis = new RefusingRedis(refusal);
    const world = await World.start({ env: { REDIS_URL: await redis.url() } });
    try {
      await world.user();
      await pause(1000);
      const { refused, connected } = redis;
      await pause(SECONDS * 1000);
      // A worker has two connections for each queue; beside them, worker and API have one each.
      const loops = 2 * world.get(JobQueue).allQueues().length + 2;
      expect((redis.refused - refused) / SECONDS).toBeLessThanOrEqual(loops);
      expect((redis.connected - connected) / SECONDS).toBeLessThanOrEqual(loops);
      expect(redis.refused + redis.connected).toBeGreaterThan(refused + connected);
    } finally {
      await world.stop();
      redis.stop();
    }
  });
});
