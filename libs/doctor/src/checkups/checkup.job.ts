import { declareJob, type JobRequest } from '@commerce/jobs';
import { isIdText, type Id } from '@commerce/records';

/** The checkup of one company. */
export interface CheckupJob {
  readonly company: string;
}

export const checkupJob = declareJob<CheckupJob>({
  queue: 'checkups',
  purpose: 'walks over the records of a company in search of what is not as it must be',
  concurrency: 2,
  read: (data) => {
    const { company } = (data ?? {}) as Partial<Record<string, unknown>>;
    return isIdText(company) ? { company } : null;
  },
});

/** While a job for the company waits or runs, another is not added. */
export function checkupRequest(company: Id): JobRequest<CheckupJob> {
  const data = { company: company.toHexString() };
  return { data, id: `checkup-${data.company}` };
}
