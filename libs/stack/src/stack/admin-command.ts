import { StartError } from '#scripts/system/errors.mjs';
import { ROOT } from '#scripts/system/settings.mjs';

import type { Processes } from '../processes/processes.js';
import { mainOf } from '../settings.js';

interface CommandContext {
  readonly processes: Processes;
  readonly env: NodeJS.ProcessEnv;
}

/** The output of `company:create --json`. */
export interface CompanyKeys {
  readonly company: string;
  readonly api_key: string;
  readonly service_key: string;
}

/** Creates a company; resolves to its id and its keys. */
export async function createCompany(context: CommandContext, name: string): Promise<CompanyKeys> {
  const create = ['company:create', '--name', name];
  return (await adminCommand(context, create, 'The company could not be made')) as CompanyKeys;
}

/** Runs an admin command with `--json` against a stack. Resolves to the object that it prints. */
export async function adminCommand(
  { processes, env }: CommandContext,
  args: readonly string[],
  failure: string,
): Promise<unknown> {
  const command = [mainOf('cli'), ...args, '--json'];
  const options = { cwd: ROOT, env, onLine: () => undefined };
  const { code, output } = await processes.run(process.execPath, command, options);
  return jsonIn(code, output, failure);
}

/** The JSON object at the end of a command's output, after its log lines. */
export function jsonIn(code: number, output: string, failure: string): unknown {
  const start = output.search(/^\{/m);
  if (code !== 0 || start < 0) throw new StartError(`${failure}:\n${output}`);
  return JSON.parse(output.slice(start));
}
