import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Only what keeps somebody out: `serious` and `critical`. */
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`;

/** What axe finds serious on the page as it stands. It is evaluated from outside: the page's policy admits no other script. */
export async function axeFindings(page: Page): Promise<string[]> {
  // What fades in is measured when it is there.
  await page.waitForTimeout(500);
  await page.evaluate(axe.source);
  return page.evaluate(RUN);
}
