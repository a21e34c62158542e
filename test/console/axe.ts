import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Only the findings that keep users out: `serious` and `critical`. */
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`;

/**
 * The serious findings of axe on the current page. The script is evaluated from outside, because the page's policy
 * admits no other.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  // Elements that fade in are measured once they are fully visible.
  await page.waitForTimeout(500);
  await page.evaluate(axe.source);
  return page.evaluate(RUN);
}
