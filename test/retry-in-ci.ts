// Stories on real processes, ports and timers may lose out on a machine that is busy with something else: in CI, one
// that fails is played a second time, and its first failure is printed. A real defect fails twice.
if (process.env['CI'] === 'true') import.meta.jest.retryTimes(1, { logErrorsBeforeRetry: true });
