import { runProcess } from '@commerce/process';

import { createWorker, startWorker } from './create-worker.js';

runProcess({
  name: 'The worker',
  create: createWorker,
  begin: startWorker,
  managementPort: (config) => config.workerManagementPort,
});
