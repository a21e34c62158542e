import { randomBytes } from 'node:crypto';

import { World } from '../world.js';
import { MongoProxy } from './mongo-proxy.js';

interface ProxiedOptions {
  readonly worker?: boolean;
  /** False for a server that the driver has to ask. */
  readonly tellsChanges?: boolean;
}

/** A world that reaches its database through a proxy and gives up on it after two seconds. */
export class ProxiedWorld {
  private constructor(
    readonly world: World,
    readonly proxy: MongoProxy,
  ) {}

  static async start(options: ProxiedOptions = {}): Promise<ProxiedWorld> {
    const proxy = await MongoProxy.start(process.env['MONGODB_URI']!);
    if (options.tellsChanges === false) proxy.tellsNoChanges();
    const database = proxy.uri(`proxied_${randomBytes(6).toString('hex')}`);
    const env = { MONGODB_URI: database, DATABASE_TIMEOUT: '2s', LOG_LEVEL: 'fatal' };
    return new ProxiedWorld(await World.start({ ...options, env }), proxy);
  }

  async stop(): Promise<void> {
    await this.world.stop();
    await this.proxy.stop();
  }
}
