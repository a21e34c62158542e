import { runProcess } from '@commerce/platform';

import { createWorker, startSweeping } from './create-worker.js';

runProcess({
  name: 'The worker',
  create: createWorker,
  begin: startSweeping,
  managementPort: (config) => config.workerManagementPort,
});
