import { existsSync } from 'node:fs';

import { sourcesIn } from './sources.js';

/** Files and folders of the project, as the docs write them: `libs/kernel/src`. */
const PATH = /`((?:libs|apps|test|tools|scripts|docs)\/[\w./-]+)`/g;

/** Tells operators of a file that an earlier version had. */
const OF_EARLIER_VERSIONS = 'docs/upgrading.md';

describe('The paths in the docs', () => {
  it('exist', () => {
    const pages = sourcesIn(['docs', 'README.md'], ['.md']).filter(
      ({ path }) => path !== OF_EARLIER_VERSIONS,
    );
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(PATH)].map(([, name = '']) => ({ path, name })),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ name }) => !existsSync(name))).toEqual([]);
  });
});
