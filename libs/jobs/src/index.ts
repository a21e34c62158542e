export { Handles, Sweeps } from './handles.js';
export { JobExplorer, type Sweep } from './job-explorer.js';
export { JobQueue, type JobRequest } from './job-queue.js';
export { JobWorkers } from './job-workers.js';
export { JobWorkersModule } from './job-workers.module.js';
export { type Job, declareJob, readJob } from './job.js';
export { JobsModule } from './jobs.module.js';
export { QueueReader } from './queue-reader.js';
