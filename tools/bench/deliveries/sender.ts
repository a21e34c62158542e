import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

import { Pool } from 'undici';

/** Signs and sends to the endpoints of a sink, as many at once as the worker does. */
export class Sender {
  private readonly key = createSecretKey(randomBytes(32));
  private readonly pools: readonly Pool[];

  constructor(
    private readonly url: string,
    private readonly paths: readonly string[],
    perEndpoint: number,
  ) {
    this.pools = paths.map(() => new Pool(url, { connections: perEndpoint, pipelining: 1 }));
  }

  /** Sends a body, a JSON object without the receiver's url, to one of the endpoints; gives the milliseconds it took. */
  async send(body: string, endpoint: number): Promise<number> {
    const index = endpoint % this.paths.length;
    const pool = this.pools[index] as Pool;
    const path = this.paths[index] as string;
    const bytes = Buffer.from(`${body.slice(0, -1)},"url":"${this.url}${path}"}`);
    const headers = {
      'content-type': 'application/json',
      'X-Service-Webhook-Signature': createHmac('sha256', this.key).update(bytes).digest('hex'),
      'X-Service-Webhook-Type': 'WebhookMessage',
      'X-Service-Webhook-Retries': '0',
    };
    const started = performance.now();
    const reply = await pool.request({ path, method: 'POST', headers, body: bytes });
    await reply.body.dump();
    if (reply.statusCode !== 200) throw new Error(`the sink answered ${String(reply.statusCode)}`);
    return performance.now() - started;
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.close()));
  }
}
