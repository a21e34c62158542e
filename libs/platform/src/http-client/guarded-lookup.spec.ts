import { createSocket } from 'node:dgram';
import type { LookupAddress, LookupOptions } from 'node:dns';

import { REFUSED, guardedLookup, resolveByNameServers } from './guarded-lookup.js';

type Seen = { error: NodeJS.ErrnoException | null; address: string | LookupAddress[]; family?: number };

function look(addresses: string[], options: LookupOptions): Promise<Seen> {
  const lookup = guardedLookup(async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
  return new Promise((resolve) =>
    lookup('host.example', options, (error, address, family) => resolve({ error, address, family })),
  );
}

describe('guardedLookup', () => {
  it('gives global addresses only', async () => {
    const seen = await look(['127.0.0.1', '8.8.8.8', '::1', '2001:4860:4860::8888'], { all: true });
    expect(seen.address).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2001:4860:4860::8888', family: 6 },
    ]);
  });

  it('gives one address where one is asked for', async () => {
    expect(await look(['10.0.0.1', '8.8.8.8'], {})).toMatchObject({ address: '8.8.8.8', family: 4 });
    expect(await look(['8.8.8.8', '2606:4700::1111'], { family: 6 })).toMatchObject({
      address: '2606:4700::1111',
      family: 6,
    });
  });

  it('refuses a name with no such address', async () => {
    expect((await look(['127.0.0.1', '::1'], { all: true })).error?.code).toBe(REFUSED);
    expect((await look([], { all: true })).error?.code).toBe(REFUSED);
  });
});

describe('resolveByNameServers', () => {
  /** A name server that answers A with the given address; null answers that there is no such name. */
  async function nameServer(address: string | null): Promise<{ at: string; close: () => void }> {
    const socket = createSocket('udp4');
    socket.on('message', (query, from) => {
      const end = query.indexOf(0, 12) + 5;
      const question = query.subarray(12, end);
      const wantsA = query.readUInt16BE(end - 4) === 1;
      const header = Buffer.from(query.subarray(0, 12));
      header.writeUInt16BE(address === null ? 0x8183 : 0x8180, 2);
      header.writeUInt16BE(address !== null && wantsA ? 1 : 0, 6);
      header.writeUInt16BE(0, 10);
      const answer = Buffer.from([
        0xc0,
        12,
        0,
        1,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
        4,
        ...(address ?? '0').split('.').map(Number),
      ]);
      socket.send(
        Buffer.concat(address !== null && wantsA ? [header, question, answer] : [header, question]),
        from.port,
        from.address,
      );
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return { at: `127.0.0.1:${String(socket.address().port)}`, close: () => socket.close() };
  }

  it('asks the name servers', async () => {
    const server = await nameServer('93.184.216.34');
    expect(await resolveByNameServers([server.at])('host.example')).toEqual([
      { address: '93.184.216.34', family: 4 },
    ]);
    server.close();
  });

  it('fails for a name that does not exist', async () => {
    const server = await nameServer(null);
    await expect(resolveByNameServers([server.at])('no.example')).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
    server.close();
  });

  it('fails in time when the name server is silent', async () => {
    const silent = createSocket('udp4');
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    const started = Date.now();
    const resolve = resolveByNameServers([`127.0.0.1:${String(silent.address().port)}`]);
    await expect(resolve('slow.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(Date.now() - started).toBeLessThan(5000);
    silent.close();
  });
});
