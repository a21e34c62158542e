import { createServer as createTls } from 'node:https';
import { createServer as createTcp, type AddressInfo } from 'node:net';

import { OK, atTheEnd, client, closeAll, post, server, statusOf } from './calls.spec-data.js';
import { AUTHORITY, EXPIRED, FOR_ANOTHER_HOST, FOR_LOCALHOST } from './certificates.spec-data.js';

afterEach(closeAll);

describe('an endpoint with TLS', () => {
  async function tlsServer(options: object): Promise<string> {
    const tls = createTls(options, (_request, response) => response.end('ok'));
    tls.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    atTheEnd(async () => {
      tls.closeAllConnections();
      await new Promise((resolve) => tls.close(resolve));
    });
    return `https://localhost:${String((tls.address() as AddressInfo).port)}/`;
  }

  it('is called when its certificate is good', async () => {
    const url = await tlsServer(FOR_LOCALHOST);
    expect(await post(client({ ca: AUTHORITY }), url)).toMatchObject({ status: 200 });
  });

  it.each([
    ['expired', EXPIRED, { ca: AUTHORITY }],
    ["another host's", FOR_ANOTHER_HOST, { ca: AUTHORITY }],
    ['signed by nobody known', FOR_LOCALHOST, {}],
  ])('is not called when its certificate is %s', async (_what, keys, options) => {
    const url = await tlsServer(keys);
    expect(statusOf(await post(client(options), url))).toBe('tls');
  });

  it('is not called when it speaks TLS 1.0 only', async () => {
    const url = await tlsServer({
      ...FOR_LOCALHOST,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1',
      ciphers: 'ALL@SECLEVEL=0',
    });
    expect(statusOf(await post(client({ ca: AUTHORITY }), url))).toBe('tls');
  });

  it('is cut off when the handshake hangs', async () => {
    const tcp = createTcp(() => undefined);
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${String((tcp.address() as AddressInfo).port)}/`;
    const result = await post(client({ ca: AUTHORITY, totalMs: 5000 }), url);
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
    expect(statusOf(await post(client({ allowPrivate: false }), url))).toBe('endpoint_refused');
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
    const http = client({
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
    const http = client({
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
      expect(statusOf(await post(client(), raw.url))).toBe(200);
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
    const http = client({ totalMs: 10_000 });
    const running = post(http, raw.url);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await http.close();
    expect(statusOf(await running)).toBe('stopped');
  });
});
