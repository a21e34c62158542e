import {
  CONFIG,
  Database,
  Log,
  Management,
  RedisState,
  endOnSignal,
  startOrExplain,
  type Config,
} from '@commerce/platform';

import { createWorker, startSweeping } from './create-worker.js';

startOrExplain('The worker', async () => {
  const app = await createWorker();
  const config = app.get<Config>(CONFIG);
  const log = app.get(Log);
  const management = app.get(Management);
  endOnSignal(log, async () => {
    management.notReady();
    await app.close();
    management.close();
  });
  await app.get(Database).ensureIndexes();
  await app.get(RedisState).checkEviction();
  startSweeping(app);
  await management.listen(config.workerManagementPort, config.managementHost);
  log.info({ management: config.workerManagementPort }, 'The worker is ready');
});
