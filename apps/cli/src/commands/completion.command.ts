import { fileURLToPath } from 'node:url';

import { Command, type CommandRunner } from 'nest-commander';

import { AdminCommand, choiceOption, type CommonOptions, type Outcome } from '../admin-command.js';
import { SHELLS, completionScript, type CompletedCommand } from '../completion/completion.js';

type Program = Parameters<CommandRunner['setCommand']>[0];

/** The script at the root, relative to this file's place in the build, dist/apps/cli/src/commands. */
const PROGRAM = fileURLToPath(new URL('../../../../../scripts/run.mjs', import.meta.url));

@Command({
  name: 'completion',
  arguments: '<shell>',
  description: 'prints the completion of these commands for bash or zsh, as commands of `commerce`',
})
export class CompletionCommand extends AdminCommand<CommonOptions> {
  async perform(_options: CommonOptions, [shell = '']: string[]): Promise<Outcome> {
    const known = choiceOption(shell, 'shell', SHELLS);
    const script = completionScript(known, this.commands(), PROGRAM);
    return { json: { shell, script }, lines: [script.trimEnd()] };
  }

  private commands(): CompletedCommand[] {
    return (this.command.parent?.commands ?? []).map(completed);
  }
}

function completed(command: Program): CompletedCommand {
  const options = command.options.map(({ long, description, required, optional, argChoices }) => ({
    flag: long ?? '',
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  }));
  return { name: command.name(), description: command.description(), options };
}
