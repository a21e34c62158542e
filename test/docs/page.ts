import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a page that are run. */
export interface Page {
  /** The programs by file name; the blocks of one program follow one another on the page. */
  readonly programs: ReadonlyMap<string, string>;
  /** The shell commands, in order; empty for a page that is one program. */
  readonly commands: string;
  /** The output that the page shows. */
  readonly printed: string;
}

const FENCED = /^```(?<language>\w+)(?: (?<file>\S+))?\n(?<code>[^]*?)^```$/gm;

const PROGRAMS: Readonly<Record<string, string>> = { js: 'recipe.mjs', python: 'recipe.py' };

/**
 * Reads the fenced blocks of a page: `js` and `python` are programs, `sh` is run by bash, `text` is the expected
 * output.
 * Blocks without a language are only shown.
 */
export function readPage(path: string): Page {
  const programs = new Map<string, string>();
  let commands = '';
  let printed = '';
  for (const { groups = {} } of readFileSync(join(process.cwd(), path), 'utf8').matchAll(FENCED)) {
    const { language = '', file = PROGRAMS[language], code = '' } = groups;
    if (language === 'sh') commands += code;
    else if (language === 'text') printed += code;
    else if (file !== undefined) programs.set(file, (programs.get(file) ?? '') + code);
  }
  return { programs, commands, printed };
}
