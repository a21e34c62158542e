import { declareJob, isIdText, type JobRequest, type Id } from '@commerce/platform';

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

/** While a job for the clock waits or runs, another is not added. */
export function testClockRequest(company: Id, clock: Id): JobRequest<TestClockJob> {
  const data = { company: company.toHexString(), clock: clock.toHexString() };
  return { data, id: `clock-${data.clock}` };
}
