import { readFileSync } from 'node:fs';

import { EmbeddedEngine } from '../../libs/data/src/engines/embedded/embedded-engine.js';

/** `npm start` cannot import what doctor compares with, so each names the measured size by itself. */
it('npm start, doctor and docs name one size up to which the embedded server was measured', () => {
  const of = new EmbeddedEngine().measured;
  const named = Object.entries(of).map(([records, most]) => `${most.toLocaleString('en')} ${records}`);
  expect(named).toHaveLength(2);
  const start = readFileSync('libs/stack/src/databases/mongodb.ts', 'utf8');
  expect(start).toContain(`up to ${named.join(' and ')}; beyond`);
  expect(readFileSync('docs/scaling.md', 'utf8')).toContain(`more than ${named.join(' or ')}`);
});
