import { StartError } from './errors.mjs';

/**
 * A script's progress message: `area` is the part that speaks ("MongoDB"), `text` what it is doing or how far
 * it has come. `hush`, where it is there, ends it.
 *
 * @typedef {((area: string, text: string) => void) & {hush?: () => void}} Log
 */

/**
 * Prints `[3/8] MongoDB: …`, where the number is the area's position among the announced steps.
 *
 * @param {readonly string[]} steps areas in the order in which they come
 * @param {NodeJS.WritableStream} [out]
 * @returns {Log}
 */
export function createLog(steps, out = process.stdout) {
  // `npm start | head` closes the pipe early; that must not take the whole stack down.
  out.on('error', () => undefined);
  return (area, text) => {
    const place = steps.indexOf(area);
    const label = place < 0 ? area : `[${place + 1}/${steps.length}] ${area}`;
    for (const line of text.split('\n')) out.write(`${label}: ${line}\n`);
  };
}

/**
 * Stays quiet as long as everything is quick: output appears only after three seconds, and never after `hush()`.
 *
 * @param {Log} log
 * @returns {Log}
 */
export function patientLog(log) {
  /** @type {[string, string][]} */
  const waiting = [];
  /** @type {Log} */
  let say = (area, text) => void waiting.push([area, text]);
  const timer = setTimeout(() => {
    waiting.forEach(([area, text]) => log(area, text));
    say = log;
  }, 3_000).unref();
  const hush = () => {
    clearTimeout(timer);
    say = () => undefined;
  };
  return Object.assign((/** @type {string} */ area, /** @type {string} */ text) => say(area, text), { hush });
}

/**
 * Runs a script's main function: a StartError is printed as a message, anything else is a bug and shows its stack
 * trace.
 *
 * @param {() => Promise<number | void>} main resolves to the exit code
 */
export async function runScript(main) {
  let code = 1;
  try {
    code = (await main()) ?? 0;
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
  }
  // Not left to the event loop: a pending restart or an idle connection would keep the process alive.
  process.exit(code);
}

/** @param {unknown} error */
export function explain(error) {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** @param {number} since as `performance.now()` gave it */
export function elapsed(since) {
  const seconds = (performance.now() - since) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
