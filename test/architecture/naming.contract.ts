import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOTS = ['apps', 'libs', 'tools', 'scripts', 'test', 'docs'];

/** Words that once stood for things that the field has a name for. */
const PRIVATE_WORDS = [
  'kick' + 'er',
  'jan' + 'itor',
  'err' + 'ands?',
  'cour' + 'ier',
  'mis' + 'haps?',
  'hand' + 'fuls?',
];

function files(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs|md)$/.test(name))
    .map((name) => join(root, name));
}

const sources = ROOTS.flatMap(files).map((path) => ({ path, text: readFileSync(path, 'utf8') }));

describe('Names', () => {
  it('of injectables end in a role, or are the plural of their record', () => {
    const declared = sources
      .filter(({ path }) => /^(apps|libs)/.test(path) && path.endsWith('.ts'))
      .flatMap(({ text }) => [
        ...text.matchAll(/@(?:Injectable|Controller)\([^]*?export (?:abstract )?class (\w+)/g),
      ])
      .map(([, name = '']) => name);
    expect(declared.length).toBeGreaterThan(100);
    expect(declared.filter((name) => /(Service|Manager|Helper|Utils?|Impl|Base)$/.test(name))).toEqual([]);
  });

  it('are words of the field', () => {
    const word = new RegExp(`\\b(${PRIVATE_WORDS.join('|')})\\b`, 'i');
    expect(sources.filter(({ text }) => word.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('of methods say what they give: none is called `of`', () => {
    const method = /^ {2}(async )?of\(/m;
    expect(sources.filter(({ text }) => method.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
