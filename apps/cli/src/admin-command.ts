import { hostname, userInfo } from 'node:os';

import { fieldFault } from '@commerce/kernel';
import { withActor } from '@commerce/data';
import { parseId, type Id } from '@commerce/records';
import { CommandRunner, Option } from 'nest-commander';

import { visible, visibleLines } from './output/visible.js';

/** The result of a command: JSON for programs, lines for people. */
export interface Outcome {
  readonly json: unknown;
  readonly lines: readonly string[];
  /** Exits with 1 for findings that are not a failure of the command itself. */
  readonly failed?: boolean;
}

export interface CommonOptions {
  readonly json?: boolean;
}

/** A command with --json, which prints one JSON value to stdout. All other messages go to stderr. */
export abstract class AdminCommand<Options extends CommonOptions> extends CommandRunner {
  /** @param words the arguments of commands that declare some */
  abstract perform(options: Options, words: string[]): Promise<Outcome>;

  /**
   * Called by the framework. Refuses words that belong to no option instead of ignoring them, and lets the caller of
   * the command end the process.
   */
  override setCommand(command: Parameters<CommandRunner['setCommand']>[0]): this {
    command.allowExcessArguments(false).exitOverride();
    return super.setCommand(command);
  }

  override async run(words: string[], options: Options): Promise<void> {
    const actor = { ...OPERATOR, credential: account(), request: `cli ${this.command.name()}` };
    const { json, lines, failed } = await withActor(actor, () => this.perform(options, words));
    const text = options.json === true ? `${JSON.stringify(json, null, 2)}\n` : block(lines);
    process.stdout.write(visibleLines(text));
    if (failed === true) process.exitCode = 1;
  }

  @Option({ flags: '--json', description: 'print JSON and nothing else' })
  readJson(): boolean {
    return true;
  }
}

/** The actor of a command, for the audit log. */
const OPERATOR = { kind: 'cli', request_id: null, caller_request_id: null, company: null } as const;

/** The account of the operating system; in a container it may have only a number. */
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

/** Parses an option's value as an id. */
export function idOption(text: string, option: string): Id {
  const id = parseId(text);
  if (id === null)
    throw fieldFault(option, `--${option} must be an id of 24 hexadecimal digits, not "${text}"`);
  return id;
}

/**
 * Parses an option's value as one of a few words. The framework shows the choices in its help but accepts other values.
 */
export function choiceOption<T extends string>(text: string, option: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw fieldFault(option, `--${option} must be one of ${choices.join(', ')}, not "${text}"`);
}

/** Parses an option's value as a whole number from 0 up. */
export function countOption(text: string, option: string, max = 1_000_000): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= max) return count;
  throw fieldFault(option, `--${option} must be a whole number from 0 to ${String(max)}, not "${text}"`);
}

/** Parses an option's value as a day or an instant in ISO 8601; a day begins at 00:00 UTC. */
export function dateOption(text: string, option: string): Date {
  const date = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/.test(text) ? new Date(text) : null;
  if (date !== null && !Number.isNaN(date.getTime())) return date;
  const examples = '2030-01-31 or 2030-01-31T12:00Z';
  throw fieldFault(option, `--${option} must be a date such as ${examples}, not "${text}"`);
}

/** Formats names and values as lines, with the values aligned. */
export function table(rows: readonly (readonly [string, unknown])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${visible(String(value))}`);
}
