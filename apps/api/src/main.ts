import { runProcess } from '@commerce/process';

import { createApi } from './create-api.js';
import { takeLastRequests } from './http/requests/last-requests.js';

runProcess({
  name: 'The API',
  create: createApi,
  begin: async (app, config) => {
    await app.listen(config.port);
  },
  beforeEnd: (app) => takeLastRequests(app.getHttpServer()),
  managementPort: (config) => config.apiManagementPort,
});
