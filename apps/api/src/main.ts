import { runProcess } from '@commerce/platform';

import { createApi } from './create-api.js';

runProcess({
  name: 'The API',
  create: createApi,
  begin: async (app, config) => {
    await app.listen(config.port);
  },
  managementPort: (config) => config.apiManagementPort,
});
