import { TestClockRunner, testClockRequest, testClocksJob } from '@commerce/billing';
import { TestClockStore } from '@commerce/identity';
import { JobQueue, Sweeps, type Sweep } from '@commerce/platform';

const AT_ONCE = 100;

/** Finds clocks that are on their way, so that a crash, or a Redis that forgot, does not leave one standing. */
@Sweeps('test-clocks')
export class AdvancingClocksSweep implements Sweep {
  constructor(
    private readonly clocks: TestClockStore,
    private readonly jobs: JobQueue,
    private readonly clockRun: TestClockRunner,
  ) {}

  async run(): Promise<void> {
    const clocks = await this.clocks.advancing(AT_ONCE);
    if (clocks.length === 0) return;
    const hints = clocks.map(({ _id, company }) => testClockRequest(company, _id));
    if (await this.jobs.add(testClocksJob, ...hints)) return;
    // Redis is away: the way goes on without it.
    for (const { _id, company } of clocks) await this.clockRun.run(company, _id);
  }
}
