import { isFault } from '@commerce/kernel';
import { CommandFactory, CommandRunnerService } from 'nest-commander';

import { CliModule } from './cli.module.js';
import { ServiceContext } from './service-context.js';
import { suggestionFor } from './suggestion.js';

/** The longest that lingering connections may delay the exit. */
const LINGER_MS = 1000;

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

async function main(): Promise<void> {
  const app = await CommandFactory.createWithoutRunning(CliModule, {
    cliName: 'commerce',
    outputConfiguration: {
      outputError: (text, write) => {
        const isUnknown = text.includes('unknown command') && !text.includes('Did you mean');
        const suggestion = isUnknown ? suggestionFor(process.argv.slice(2), commandNames()) : '';
        // One error is one line.
        write((text + suggestion).replace('\n(Did', ' (Did'));
      },
    },
    serviceErrorHandler: (error) => {
      process.stderr.write(`error: ${explain(error)}\n`);
      process.exitCode = 1;
    },
  });
  const commandNames = (): string[] => app.get(CliModule).commandNames();
  try {
    await app.get(CommandRunnerService).run();
  } finally {
    await app.get(ServiceContext).close();
    await app.close();
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`error: ${explain(error)}\n`);
  process.exit(1);
});
