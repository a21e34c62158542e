import { readFileSync } from 'node:fs';

import { errorsPage } from '../../apps/api/src/openapi/errors-page.js';
import { FAULTS } from '../../apps/api/src/http/faults/fault-catalogue.js';
import { statusOf } from '../../apps/api/src/http/faults/statuses.js';
import { previewApi } from '../../apps/api/src/openapi/preview.js';
import { routesOf } from '../../apps/api/src/openapi/routes.js';
import { faultCodesIn } from './fault-codes.js';

/** The reasons of failed or abandoned charge attempts: they appear on payments, never in replies. */
const OF_ATTEMPTS = new Set([
  'attempt.superseded',
  'payment.exists',
  'payment.not_at_provider',
  'payment.not_authenticated',
  'payment.not_owed',
  'payment.replaced',
  'payment.superseded',
  'provider.key_reused',
  'provider.no_answer',
  'provider.not_received',
  'provider.request_refused',
]);

const page = readFileSync('docs/errors.md', 'utf8');
const documented = new Map(
  [...page.matchAll(/^\| (\d{3}) \| `([^`]+)` \|/gm)].map(([, status, code]) => [code ?? '', Number(status)]),
);

/** The codes that appear in the sources, and where. */
const inUse = new Map([...faultCodesIn(['libs', 'apps/api/src'])].filter(([code]) => !OF_ATTEMPTS.has(code)));

describe('docs/errors.md', () => {
  it('lists every code of a refused request, under its status', () => {
    expect(inUse.size).toBeGreaterThan(70);
    const wrong = [...inUse].filter(([code]) => documented.get(code) !== statusOf(code));
    expect(wrong).toEqual([]);
  });

  it('lists no code without a use', () => {
    // The store derives these from the noun of a record.
    const made = /\.(not_found|unknown)$/;
    const stale = [...FAULTS.keys()].filter((code) => !inUse.has(code) && !made.test(code));
    expect(stale).toEqual([]);
  });

  it('is generated from the catalogue; `npm run openapi` writes it again', () => {
    expect(page).toBe(errorsPage());
  });
});

describe('The catalogue of faults', () => {
  it('has every code that a route declares', async () => {
    const routes = routesOf(await previewApi());
    const named = routes.flatMap(({ notes }) => notes.faults ?? []);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((code) => !FAULTS.has(code))).toEqual([]);
  });

  it('has the code of an unknown record for every route that takes an id', async () => {
    const routes = routesOf(await previewApi()).filter(({ path }) => path.includes('{'));
    const nouns = routes.map(({ path }) => path.split('/')[1]!.replace(/s$/, '').replace(/ie$/, 'y'));
    expect(nouns.filter((noun) => !FAULTS.has(`${noun}.not_found`))).toEqual([]);
  });
});
