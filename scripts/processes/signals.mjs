import { GRACE_MS } from './child.mjs';

/**
 * Ends all children in order on Ctrl-C, SIGTERM, a closed terminal, or when the npm that runs this script has
 * been killed. Further signals change nothing: npm hands a Ctrl-C on that the terminal has delivered already.
 *
 * @param {import('./processes.mjs').Processes} processes
 * @param {import('./report.mjs').Log} log
 * @returns {{received: () => string | undefined, stopped: Promise<string>}}
 *   `stopped` resolves with the signal's name when everything has ended
 */
export function stopOnSignals(processes, log) {
  let received;
  let tell;
  const stopped = new Promise((resolve) => {
    tell = resolve;
  });
  const stop = (name) => {
    if (received) return;
    received = name;
    log('Stop', `${name}: ending what was started (up to ${GRACE_MS / 1000} s)`);
    void processes.stop().then(() => tell(name));
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop(name));
  const parent = process.ppid;
  const look = () => process.ppid !== parent && stop('npm has ended');
  if (process.env.npm_lifecycle_event) setInterval(look, 500).unref();
  return { received: () => received, stopped };
}
