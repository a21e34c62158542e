import { declareJob, type JobRequest } from '@commerce/jobs';
import { isIdText, type Id } from '@commerce/records';

/** One advancing clock. */
export interface TestClockJob {
  readonly company: string;
  readonly clock: string;
}

export const testClocksJob = declareJob<TestClockJob>({
  queue: 'test-clocks',
  purpose: 'runs what falls due on an advancing test clock',
  concurrency: 2,
  read: (data) => {
    const { company, clock } = (data ?? {}) as Partial<Record<string, unknown>>;
    return isIdText(company) && isIdText(clock) ? { company, clock } : null;
  },
});

/**
 * While a job for the clock waits or runs, another is not added. `turn` counts the clocks of the company that come
 * before it: the lower goes first.
 */
export function testClockRequest(company: Id, clock: Id, turn: number): JobRequest<TestClockJob> {
  const data = { company: company.toHexString(), clock: clock.toHexString() };
  return { data, id: `clock-${data.clock}`, priority: turn + 1 };
}
