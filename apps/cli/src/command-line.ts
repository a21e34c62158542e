import { isFault } from '@commerce/kernel';
import { CommandFactory, CommandRunnerService } from 'nest-commander';

import { CliModule } from './cli.module.js';
import { visibleLines } from './output/visible.js';
import { ServiceContext } from './service-context.js';
import { suggestionFor } from './suggestion.js';

/** Formats an error as one clear message; only unexpected errors show a stack. */
function explain(error: unknown): string {
  if (isFault(error)) {
    const paths = error.details.errors?.map(({ message }) => message) ?? [];
    return [...new Set([error.message, ...paths])].join('\n');
  }
  if (!(error instanceof Error)) return String(error);
  if (/^Mongo/.test(error.name)) return `The database does not answer: ${error.message}`;
  return error.message;
}

/** The exit code of Commander's error, which follows the help or a refusal that it has printed; null of any other error. */
function exitCodeOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  const { code, exitCode } = error as Error & { readonly code?: unknown; readonly exitCode?: unknown };
  return String(code).startsWith('commander.') && typeof exitCode === 'number' ? exitCode : null;
}

function refuse(error: unknown): void {
  const printed = exitCodeOf(error);
  if (printed === null) process.stderr.write(visibleLines(`error: ${explain(error)}\n`));
  process.exitCode = printed ?? 1;
}

/** Runs the command that these words name: prints to stdout and stderr, and sets the exit code of the process. */
export async function runCommand(words: readonly string[]): Promise<void> {
  try {
    await run(words);
  } catch (error) {
    refuse(error);
  }
}

async function run(words: readonly string[]): Promise<void> {
  const app = await CommandFactory.createWithoutRunning(CliModule, {
    cliName: 'commerce',
    outputConfiguration: {
      outputError: (text, write) => {
        const isUnknown = text.includes('unknown command') && !text.includes('Did you mean');
        const names = app.get(CliModule).commandNames();
        // One error is one line.
        write((text + (isUnknown ? suggestionFor(words, names) : '')).replace('\n(Did', ' (Did'));
      },
    },
    serviceErrorHandler: refuse,
  });
  try {
    await app.get(CommandRunnerService).run(['node', 'commerce', ...words]);
  } finally {
    await app.get(ServiceContext).close();
    await app.close();
  }
}
