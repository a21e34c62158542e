import { hostname, userInfo } from 'node:os';

import { fieldFault } from '@commerce/kernel';
import { withActor } from '@commerce/data';
import { parseId, type Id } from '@commerce/records';
import { CommandRunner, Option } from 'nest-commander';

/** The result of a command: as JSON for programs, as lines for people. */
export interface Outcome {
  readonly json: unknown;
  readonly lines: readonly string[];
  /** Makes the command exit with 1, for findings that are not a failure of the command itself. */
  readonly failed?: boolean;
}

export interface CommonOptions {
  readonly json?: boolean;
}

/** A command with --json: then its output is one JSON value and nothing else. All other messages go to stderr. */
export abstract class AdminCommand<Options extends CommonOptions> extends CommandRunner {
  /** @param words what was said without an option, where the command names arguments */
  abstract perform(options: Options, words: string[]): Promise<Outcome>;

  /** Called by the framework: words that belong to no option are refused, not ignored. */
  override setCommand(command: Parameters<CommandRunner['setCommand']>[0]): this {
    command.allowExcessArguments(false);
    return super.setCommand(command);
  }

  override async run(words: string[], options: Options): Promise<void> {
    const actor = { ...OPERATOR, credential: account(), request: `cli ${this.command.name()}` };
    const { json, lines, failed } = await withActor(actor, () => this.perform(options, words));
    process.stdout.write(options.json === true ? `${JSON.stringify(json, null, 2)}\n` : block(lines));
    if (failed === true) process.exitCode = 1;
  }

  @Option({ flags: '--json', description: 'print JSON and nothing else' })
  readJson(): boolean {
    return true;
  }
}

/** Who runs a command, for the audit trail. */
const OPERATOR = { kind: 'cli', request_id: null, company: null } as const;

/** The account of the operating system; in a container it may have a number only, and no name. */
function account(): string {
  try {
    return `${userInfo().username}@${hostname()}`.slice(0, 256);
  } catch {
    return `${String(process.getuid?.() ?? 0)}@${hostname()}`.slice(0, 256);
  }
}

function block(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** An id that an option names. */
export function idOption(text: string, option: string): Id {
  const id = parseId(text);
  if (id === null)
    throw fieldFault(option, `--${option} must be an id of 24 hexadecimal digits, not "${text}"`);
  return id;
}

/** One of a few words. The framework only shows the choices of an option in its help; it accepts others. */
export function choiceOption<T extends string>(text: string, option: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw fieldFault(option, `--${option} must be one of ${choices.join(', ')}, not "${text}"`);
}

/** A whole number that an option names, from 0 on. */
export function countOption(text: string, option: string, max = 1_000_000): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= max) return count;
  throw fieldFault(option, `--${option} must be a whole number from 0 to ${String(max)}, not "${text}"`);
}

/** A day or an instant that an option names, in ISO 8601; a day begins at 00:00 UTC. */
export function dateOption(text: string, option: string): Date {
  const date = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/.test(text) ? new Date(text) : null;
  if (date !== null && !Number.isNaN(date.getTime())) return date;
  const examples = '2030-01-31 or 2030-01-31T12:00Z';
  throw fieldFault(option, `--${option} must be a date such as ${examples}, not "${text}"`);
}

/** Lines of names and values, the values aligned. */
export function table(rows: readonly (readonly [string, unknown])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${String(value)}`);
}
