import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { mainOf } from '@commerce/stack';
import { eventually, freePort } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';

const FORWARDED = { 'x-forwarded-for': '203.0.113.7' };

let service: ServiceProcesses;
beforeAll(async () => {
  service = await ServiceProcesses.start();
}, 120_000);
afterAll(() => service.stop());

/** A second API in production mode, with its own settings. */
class ProductionApi {
  output = '';

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  static async start(settings: Readonly<Record<string, string>>): Promise<ProductionApi> {
    const [port, management] = [await freePort(), await freePort()];
    const env = {
      ...process.env,
      ...service.env,
      NODE_ENV: 'production',
      PORT: String(port),
      API_MANAGEMENT_PORT: String(management),
      STRIPE_API_BASE: 'https://stripe.example.com',
      WEBHOOK_ALLOW_PRIVATE: 'false',
      SECRET_KEYS: '0a'.repeat(32),
      LOG_LEVEL: 'warn',
      ...settings,
    };
    const child = spawn(process.execPath, [mainOf('api')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ready = `http://127.0.0.1:${String(management)}/health/ready`;
    const ask = (): Promise<number> =>
      fetch(ready).then(
        ({ status }) => status,
        () => 0,
      );
    await eventually(ask, (status) => status === 200, 100_000, { what: 'the API to be ready' });
    return new ProductionApi(`http://127.0.0.1:${String(port)}`, child);
  }

  async end(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await gone;
  }
}

describe('In production', () => {
  it('/docs keeps no keys in the browser, and an untrusted X-Forwarded-For is logged once', async () => {
    const api = await ProductionApi.start({});
    try {
      const setup = await (await fetch(`${api.url}/docs/swagger-ui-init.js`, { headers: FORWARDED })).text();
      expect(setup).toContain('"persistAuthorization": false');
      for (let sent = 0; sent < 3; sent += 1) await fetch(`${api.url}/nothing`, { headers: FORWARDED });
    } finally {
      await api.end();
    }
    expect(api.output.match(/X-Forwarded-For/g)).toHaveLength(1);
    expect(api.output).toContain('TRUST_PROXY');
  });

  it('an X-Forwarded-For of a trusted proxy is not logged', async () => {
    const api = await ProductionApi.start({ TRUST_PROXY: 'loopback', PUBLIC_URL: 'https://api.example.com' });
    try {
      await fetch(`${api.url}/nothing`, { headers: FORWARDED });
    } finally {
      await api.end();
    }
    expect(api.output).not.toContain('X-Forwarded-For');
  });
});
