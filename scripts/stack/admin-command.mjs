import { StartError } from '../system/errors.mjs';
import { mainOf, ROOT } from '../system/settings.mjs';

/** @import { Processes } from '../processes/processes.mjs' */

/**
 * Runs an admin command with `--json` against a stack.
 *
 * @param {{processes: Processes, env: NodeJS.ProcessEnv}} context
 * @param {string[]} args
 * @param {string} failure what the message says when the command fails
 * @returns {Promise<any>} the JSON object that it printed
 */
export async function adminCommand({ processes, env }, args, failure) {
  const command = [mainOf('cli'), ...args, '--json'];
  const { code, output } = await processes.run(process.execPath, command, {
    cwd: ROOT,
    env,
    onLine: () => undefined,
  });
  return jsonIn(code, output, failure);
}

/**
 * The JSON object at the end of a command's output, after what it may have logged.
 *
 * @param {number} code
 * @param {string} output
 * @param {string} failure
 * @returns {any}
 */
export function jsonIn(code, output, failure) {
  const start = output.search(/^\{/m);
  if (code !== 0 || start < 0) throw new StartError(`${failure}:\n${output}`);
  return JSON.parse(output.slice(start));
}
