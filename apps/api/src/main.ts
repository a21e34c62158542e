import { runProcess } from '@commerce/platform';

import { createApi } from './create-api.js';
import { LastReplies } from './http/replies/last-replies.js';

runProcess({
  name: 'The API',
  create: createApi,
  begin: async (app, config) => {
    await app.listen(config.port);
  },
  beforeEnd: (app) => app.get(LastReplies).send(),
  managementPort: (config) => config.apiManagementPort,
});
