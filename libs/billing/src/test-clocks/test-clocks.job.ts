import { declareJob, type JobRequest } from '@commerce/jobs';
import type { Id } from '@commerce/records';

/** One advancing clock. */
export interface TestClockJob {
  readonly company: Id;
  readonly clock: Id;
}

export const testClocksJob = declareJob<TestClockJob>({
  queue: 'test-clocks',
  purpose: 'runs what falls due on an advancing test clock',
  concurrency: 2,
  fields: { company: 'id', clock: 'id' },
});

/**
 * The job of a clock, not added while another for the same clock waits or runs. `turn` counts the clocks of the company
 * before this one: the lower goes first.
 */
export function testClockRequest(company: Id, clock: Id, turn: number): JobRequest<TestClockJob> {
  return { data: { company, clock }, id: `clock-${clock.toHexString()}`, priority: turn + 1 };
}
