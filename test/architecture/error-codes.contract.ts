import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { statusOf } from '../../apps/api/src/http/faults/statuses.js';

/** Why an attempt at a charge failed: these stand on payments, no request is answered with them. */
const OF_ATTEMPTS = new Set([
  'attempt.superseded',
  'payment_method.missing',
  'provider.no_answer',
  'provider.not_received',
  'payment.exists',
]);

const documented = new Map(
  [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| (\d{3}) \| `([^`]+)` \|/gm)].map(
    ([, status, code]) => [code ?? '', Number(status)],
  ),
);

/** Every code that stands in a call of `fault` or `fieldFault`, or in a list of errors. */
function codesInUse(): string[] {
  const codes = new Set<string>();
  for (const root of ['libs', 'apps/api/src']) {
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.spec.ts') || name.startsWith('kernel/src/fault')) continue;
      const source = readFileSync(join(root, name), 'utf8');
      for (const [, code] of source.matchAll(/(?:\bfault\(\s*|\bcode: )'([a-z_]+\.[a-z_]+)'/g))
        codes.add(code ?? '');
    }
  }
  return [...codes].filter((code) => !OF_ATTEMPTS.has(code)).sort();
}

function rowOf(code: string): string {
  const family = `…${code.split('.')[1] ?? ''}`;
  return documented.has(code) ? code : family;
}

describe('docs/errors.md', () => {
  it('lists every code that a request can be answered with, under its status', () => {
    const used = codesInUse();
    expect(used.length).toBeGreaterThan(30);
    const wrong = used.filter((code) => documented.get(rowOf(code)) !== statusOf(code));
    expect(wrong).toEqual([]);
  });
});
