import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import type { Benchmark, Measured } from '../benchmark.js';
import type { Scale } from '../scale.js';
import { ratioLine, tableOf } from './text.js';

const HEAD = `# Benchmarks

Written by \`npm run bench\`; edits are lost at the next run. \`npm run bench -- a\` runs one of them (a products,
b deliveries, c billing, d billing by a card provider that takes its time, e searches at size), \`--quick\` a short run
whose numbers are printed and not kept here. A run is kept only where the machine had nothing else to do when it began, and where its
pairs agree: none may be more than 1.6 times another.

## How to read them

Each benchmark measures the service's real processes, built as for production, against a bare loop: the least
code that does the same work on the same servers, without rules, callers, crash safety or history. The ratio says
what all that costs; 1.00 would be nothing.

- Only ratios mean something, and only within one run. The two sides take turns, each first in every other pair of
  rounds, because a machine may be twice as fast a minute later; where a round has no end of its own, they even take
  turns of a second. The ratio is the median over the pairs; next to it stand the lowest and the highest of a pair.
- The first pair warms up and does not count. Where the bare loop is a new process in each round, it does as much again
  before it is measured as is measured.
- Databases, servers, load and bare loop share the cores of one machine. What the database does for both sides is in
  both rates, so it draws a ratio towards 1; the processor time of the server process alone is in the table, too.
- Rate limits are off and the log is at \`warn\`.
- A run starts databases of its own, without syncing to disk on commit where the server leaves that choice; give
  MONGODB_URI and REDIS_URL (an empty Redis database) to measure on yours.
`;

const mark = (name: string): string => `<!-- ${name} -->`;

/**
 * Puts what benchmarks found into their sections and leaves the others as they are. `all` is in the order of the
 * sections, `found` holds the new ones by the benchmark's name.
 */
export function keep(path: string, all: readonly Benchmark[], found: ReadonlyMap<string, string>): void {
  const old = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const sections = all.map(({ name }) => found.get(name) ?? section(old, name)).filter(Boolean);
  writeFileSync(path, [HEAD, ...sections].join('\n'));
}

function section(page: string, name: string): string | null {
  const start = page.indexOf(mark(name));
  if (start < 0) return null;
  const next = page.indexOf('<!-- ', start + 1);
  return `${page.slice(start, next < 0 ? undefined : next).trimEnd()}\n`;
}

/** What one benchmark found, as a section of the page. */
export function sectionOf(
  benchmark: Benchmark,
  measured: readonly Measured[],
  machine: Readonly<Record<string, string>>,
  scale: Scale,
): string {
  const facts = Object.entries(machine).map(([name, value]) => `- ${name}: ${value}`);
  return `${[
    mark(benchmark.name),
    '',
    `## ${benchmark.title}`,
    '',
    benchmark.about(scale),
    '',
    tableOf(measured),
    '',
    ...measured.map((one) => `- ${ratioLine(one)}`),
    '',
    ...facts,
  ].join('\n')}\n`;
}
