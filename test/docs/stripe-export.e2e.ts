import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { objectsIn } from '../../apps/cli/src/stripe-import/stripe-file.js';
import { readPage } from './page.js';

/**
 * Answers as `stripe get <path>` does, with pages of two objects. It takes the flags of Stripe's CLI only, whose own source
 * has them: `--live`, `--limit`, `--starting-after`, `--expand` and `--data`.
 */
const STRIPE = `#!/usr/bin/env node
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
const text = { type: 'string' };
const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    live: { type: 'boolean' },
    limit: { ...text, short: 'l' },
    'starting-after': { ...text, short: 'a' },
    expand: { ...text, short: 'e', multiple: true },
    data: { ...text, short: 'd', multiple: true },
  },
});
const [command, path] = positionals;
if (command !== 'get' || positionals.length !== 2 || !values.live) throw new Error('not as documented');
if (values['starting-after'] === '') throw new Error('no page begins after nothing');
appendFileSync('calls', JSON.stringify({ path, ...values }) + '\\n');
const kind = path.split('/').at(-1).slice(0, -1);
const all = [1, 2, 3, 4, 5].map((n) => ({ id: kind + '_' + n, object: kind, name: 'Tea\\nhouse' }));
const from = all.findIndex(({ id }) => id === values['starting-after']) + 1;
const data = all.slice(from, from + 2);
console.log(JSON.stringify({ object: 'list', url: path, has_more: from + 2 < all.length, data }, null, 2));
`;

describe('docs/coming-from.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-export-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('exports every page of each list that import:stripe reads', async () => {
    const program = join(folder, 'stripe');
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(program, STRIPE);
    chmodSync(program, 0o755);
    const { commands } = readPage('docs/coming-from.md');
    const PATH = [folder, process.env['PATH']].join(delimiter);
    const { status, stderr } = spawnSync('bash', ['-c', commands], {
      cwd: folder,
      env: { ...process.env, PATH },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    const ids: string[] = [];
    for await (const { id } of objectsIn(join(folder, 'stripe.json'))) ids.push(id);
    const kinds = ['customer', 'product', 'price', 'coupon', 'subscription'];
    expect(ids).toEqual(kinds.flatMap((kind) => [1, 2, 3, 4, 5].map((n) => `${kind}_${String(n)}`)));
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    const first = calls
      .map((line) => JSON.parse(line))
      .filter((call) => call['starting-after'] === undefined);
    // Names that a list can expand begin with those of its members.
    expect(
      first.flatMap(({ expand = [] }) => expand).filter((name: string) => !name.startsWith('data.')),
    ).toEqual([]);
    expect(first.at(-1)).toMatchObject({ path: '/v1/subscriptions', data: ['status=all'] });
  });
});
