import { runProcess } from '@commerce/platform';

import { createApi } from './create-api.js';
import { ConnectionCloser } from './http/requests/connection-closer.js';

runProcess({
  name: 'The API',
  create: createApi,
  begin: async (app, config) => {
    await app.listen(config.port);
  },
  beforeEnd: (app) => app.get(ConnectionCloser).finishRequests(),
  managementPort: (config) => config.apiManagementPort,
});
