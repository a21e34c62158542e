import type { INestApplicationContext } from '@nestjs/common';

import { CONFIG, type Config, RedisClient, Log } from '@commerce/platform';
import { Database } from '@commerce/data';
import { ManagementServer } from './management-server.js';
import { endInOrder, startOrExplain } from './shutdown.js';

/**
 * One of the service's processes: how it is built, which work it begins once its servers answer, and its operators'
 * port.
 */
export interface ServiceProcess<App extends INestApplicationContext> {
  /** Name for people: `The API`. */
  readonly name: string;
  create(): Promise<App>;
  begin(app: App, config: Config): Promise<void> | void;
  /** Runs before the app is closed. */
  beforeEnd?(app: App): Promise<void>;
  managementPort(config: Config): number;
}

/** Nest's options for a process: its log waits for ours, and `startOrExplain` alone reports a failed start. */
export const START_OPTIONS = { bufferLogs: true, abortOnError: false, autoFlushLogs: false };

/** Runs a process from its start to its end. An error that prevents the start is printed as one clear message. */
export function runProcess<App extends INestApplicationContext>(process: ServiceProcess<App>): void {
  startOrExplain(process.name, async () => {
    const app = await process.create();
    const config = app.get<Config>(CONFIG);
    const log = app.get(Log);
    const management = app.get(ManagementServer);
    endInOrder(log, async () => {
      management.notReady();
      await process.beforeEnd?.(app);
      await app.close();
      management.close();
    });
    await app.get(Database).ensureIndexes();
    await app.get(RedisClient).checkMode();
    await app.get(RedisClient).checkEviction();
    await process.begin(app, config);
    const port = process.managementPort(config);
    await management.listen(port, config);
    log.info({ management: port }, `${process.name} is ready`);
  });
}
