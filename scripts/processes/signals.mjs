import { GRACE_MS } from './identity.mjs';

/**
 * @import { Log } from '../system/report.mjs'
 * @import { Processes } from './processes.mjs'
 *
 * @typedef {object} Signals
 * @property {() => string | undefined} received the signal that has come, if any
 * @property {Promise<string>} stopped resolves to the signal's name when everything has ended
 */

/**
 * Ends all children in order on Ctrl-C, SIGTERM, a closed terminal, or when the npm that runs this script has been
 * killed. Further signals change nothing: npm passes on a Ctrl-C that the terminal has already delivered.
 *
 * @param {Processes} processes
 * @param {Log} log
 * @returns {Signals}
 */
export function stopOnSignals(processes, log) {
  /** @type {string | undefined} */
  let received;
  /** @type {(name: string) => void} */
  let tell;
  /** @type {Promise<string>} */
  const stopped = new Promise((resolve) => {
    tell = resolve;
  });
  /** @param {string} name */
  const stop = (name) => {
    if (received) return;
    received = name;
    log('Stop', `${name}: ending what was started (up to ${GRACE_MS / 1000} s)`);
    void processes.stop().then(() => tell(name));
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop(name));
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) stop('npm has ended');
  };
  if (process.env.npm_lifecycle_event) setInterval(look, 500).unref();
  return { received: () => received, stopped };
}
