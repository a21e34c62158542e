import { jest } from '@jest/globals';

// Stories on real processes, ports and timers may lose to a machine that is busy with something else: in CI one that
// fails is played a second time, and its first failure is printed. What is wrong fails twice.
if (process.env.CI === 'true') jest.retryTimes(1, { logErrorsBeforeRetry: true });
