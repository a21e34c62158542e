/** A reason to stop that the reader can act on: printed as it is, without a stack. */
export class StartError extends Error {}

/**
 * What a script says while it works.
 *
 * @typedef {(area: string, text: string) => void} Log
 *   `area` is the part of the stack that speaks ("MongoDB"), `text` what it does now or how far it is.
 */

/**
 * Prints `[3/8] MongoDB: …`; the number is the area's place among the announced steps.
 *
 * @param {string[]} steps areas in the order in which they come
 * @param {NodeJS.WritableStream} [out]
 * @returns {Log}
 */
export function createLog(steps, out = process.stdout) {
  // `npm start | head` closes the pipe early: that must not take the whole stack down with it.
  out.on('error', () => undefined);
  return (area, text) => {
    const place = steps.indexOf(area);
    const label = place < 0 ? area : `[${place + 1}/${steps.length}] ${area}`;
    for (const line of text.split('\n')) out.write(`${label}: ${line}\n`);
  };
}

/**
 * Keeps quiet while all goes fast: what is said is shown only once three seconds have passed, and not at all
 * after `hush()`.
 *
 * @param {Log} log
 * @returns {Log & {hush: () => void}}
 */
export function patientLog(log) {
  let waiting = [];
  const show = () => {
    waiting?.forEach(([area, text]) => log(area, text));
    waiting = null;
  };
  const timer = setTimeout(show, 3_000).unref();
  const patient = (area, text) => (waiting ? waiting.push([area, text]) : log(area, text));
  return Object.assign(patient, { hush: () => clearTimeout(timer) });
}

/**
 * Runs a script's main function: a StartError is a message, anything else a bug that shows its stack.
 *
 * @param {() => Promise<number | void>} main resolves to the exit code
 */
export async function runScript(main) {
  let code = 1;
  try {
    code = (await main()) ?? 0;
  } catch (error) {
    process.stderr.write(`\n${error instanceof StartError ? error.message : (error?.stack ?? error)}\n`);
  }
  // Not left to the event loop: a waiting restart or an idle connection would hold the terminal.
  process.exit(code);
}

/** @param {number} since milliseconds as Date.now() gave them */
export function elapsed(since) {
  const seconds = (Date.now() - since) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
