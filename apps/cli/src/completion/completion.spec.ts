import { execFileSync } from 'node:child_process';

import { completionScript, type CompletedCommand } from './completion.js';

const option = (flag: string, takesValue = true, choices: string[] = []) => ({
  flag,
  description: `the ${flag.slice(2)} [of: it]`,
  takesValue,
  choices,
});
const commands: CompletedCommand[] = [
  {
    name: 'company:create',
    description: "creates a company's record",
    options: [option('--name'), option('--mode', true, ['test', 'live']), option('--json', false)],
  },
  { name: 'company:list', description: 'lists', options: [option('--json', false)] },
  { name: 'doctor', description: 'checks', options: [] },
];

/** The completions that bash offers at the end of this line. */
function offered(line: string): string[] {
  const script = [
    completionScript('bash', commands, "/opt/it's/cli.mjs"),
    `COMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}; _commerce; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('\n');
  const said = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  return said.split('\n').filter((word) => word !== '');
}

describe('completion in bash', () => {
  it('offers commands without the text already typed before a colon', () => {
    expect(offered('commerce ')).toEqual(['company:create', 'company:list', 'doctor']);
    expect(offered('commerce do')).toEqual(['doctor']);
    expect(offered('commerce company')).toEqual(['company:create', 'company:list']);
    expect(offered('commerce company:c')).toEqual(['create']);
  });

  it('offers the options of a command, and the values of an option', () => {
    expect(offered('commerce company:create --')).toEqual(['--name', '--mode', '--json']);
    expect(offered('commerce company:create --mode ')).toEqual(['test', 'live']);
    expect(offered('commerce company:create --mode l')).toEqual(['live']);
    expect(offered('commerce company:create --name ')).toEqual([]);
    expect(offered('commerce nothing ')).toEqual([]);
  });
});

describe('completion in zsh', () => {
  it('describes commands and options that hold any characters', () => {
    const script = completionScript('zsh', commands, '/opt/cli.mjs');
    expect(script).toContain(`'company\\:create:creates a company'\\''s record'`);
    expect(script).toContain(`'--mode[the mode \\[of\\: it\\]]:mode:(test live)'`);
    expect(script).toContain('compdef _commerce commerce');
  });
});
