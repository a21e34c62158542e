import { declareJob, type JobRequest } from '@commerce/jobs';
import type { Id } from '@commerce/records';

/** The checkup of one company. */
export interface CheckupJob {
  readonly company: Id;
}

export const checkupJob = declareJob<CheckupJob>({
  queue: 'checkups',
  purpose: 'walks over the records of a company in search of what is not as it must be',
  concurrency: 2,
  fields: { company: 'id' },
});

/** While a job for the company waits or runs, another is not added. */
export function checkupRequest(company: Id): JobRequest<CheckupJob> {
  return { data: { company }, id: `checkup-${company.toHexString()}` };
}
