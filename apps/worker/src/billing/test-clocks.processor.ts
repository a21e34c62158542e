import { TestClockRunner, testClocksJob, type TestClockJob } from '@commerce/billing';
import { Handles, JobHandler, parseId, type Id } from '@commerce/platform';

/** Runs what falls due on one advancing test clock. */
@Handles(testClocksJob)
export class TestClocksProcessor extends JobHandler<TestClockJob> {
  constructor(private readonly clockRun: TestClockRunner) {
    super(testClocksJob);
  }

  async run({ company, clock }: TestClockJob): Promise<void> {
    // The job's own check has read them as ids.
    await this.clockRun.run(parseId(company) as Id, parseId(clock) as Id);
  }
}
