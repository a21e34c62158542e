// Scenarios on real processes, ports and timers may fail on a busy machine. In CI a failed one runs a second time and
// its first failure is printed; a real defect fails twice.
if (process.env['CI'] === 'true') import.meta.jest.retryTimes(1, { logErrorsBeforeRetry: true });
