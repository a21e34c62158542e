import { readFileSync } from 'node:fs';

import { sourcesIn } from './sources.js';

const PAGE = 'docs/glossary.md';

interface Row {
  readonly term: string;
  readonly path: string;
  readonly replaced: readonly string[];
}

const rows: Row[] = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Term '))
  .map((line) => {
    const [, term = '', , path = '', replaced = ''] = line.split('|').map((cell) => cell.trim());
    return { term, path, replaced: replaced.split(', ').filter((word) => word !== '') };
  });

/** Names given by others: a status line of HTTP, and a shop. */
const QUOTED = /103 Early Hints|Leaf & Kettle/g;

/** `DueAction`, `dueAction` and `due action` are one term. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}

describe('docs/glossary.md', () => {
  it('has a table', () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  it.each(rows)('names the file that defines "$term"', ({ term, path }) => {
    expect(lettersOf(path + readFileSync(path, 'utf8'))).toContain(lettersOf(term));
  });

  it('lists words that stand nowhere else', () => {
    const replaced = new Set(rows.flatMap((row) => row.replaced));
    const roots = ['libs', 'apps', 'test', 'tools', 'scripts', 'docs', 'clients', 'README.md'];
    const found = sourcesIn(roots, ['.ts', '.tsx', '.mjs', '.js', '.md', '.html', '.py'])
      .filter(({ path }) => path !== PAGE)
      .flatMap(({ path, text }) =>
        (text.replace(QUOTED, '').match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])
          .filter((word) => replaced.has(word.toLowerCase()))
          .map((word) => `${path}: ${word}`),
      );
    expect(found).toEqual([]);
  });

  it('names each of the two keys in one way', () => {
    const roots = ['libs', 'apps', 'tools', 'docs', 'clients', 'README.md', 'openapi.json'];
    const found = sourcesIn(roots, ['.ts', '.tsx', '.md', '.json', '.py'])
      .filter(({ text }) => /service account key|key of a service account/i.test(text))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });
});
