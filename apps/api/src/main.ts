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

import { createApi } from './create-api.js';

startOrExplain('The API', async () => {
  const app = await createApi();
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
  await app.listen(config.port);
  await management.listen(config.apiManagementPort, config.managementHost);
  log.info({ port: config.port, management: config.apiManagementPort }, 'The API is ready');
});
