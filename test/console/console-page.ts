import { existsSync } from 'node:fs';

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

import { openBrowser } from '../pages/browser.js';
import type { Merchant } from '../world.js';

type Options = NonNullable<Parameters<Browser['newContext']>[0]>;

const WIDE = { width: 1360, height: 900 };

/** The console in a real browser. Every violation of its policy and every error of its scripts counts as trouble. */
export class ConsoleBrowser {
  readonly troubles: string[] = [];
  /** Requests to other servers than the service. */
  readonly foreign: string[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly baseUrl: string,
  ) {}

  static async start(baseUrl: string): Promise<ConsoleBrowser> {
    if (!existsSync('dist/console/index.html')) throw new Error('The console is not built: npm run build');
    return new ConsoleBrowser(await openBrowser(), baseUrl);
  }

  async open(path = '/', options: Options = {}): Promise<Page> {
    const context: BrowserContext = await this.browser.newContext({
      viewport: WIDE,
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    // Other tests share the machine.
    page.setDefaultTimeout(60_000);
    page.on('pageerror', ({ message }) => this.troubles.push(message));
    page.on('console', (message) => {
      const text = message.text();
      // The service may refuse requests in a test; the page's own policy never may.
      if (message.type() === 'error' && !text.startsWith('Failed to load resource')) this.troubles.push(text);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(this.baseUrl)) this.foreign.push(request.url());
    });
    await page.goto(`${this.baseUrl}/console${path}`);
    return page;
  }

  /** Opens a page with a signed-in session. */
  async signedIn(merchant: Merchant, path = '/', options: Options = {}): Promise<Page> {
    const page = await this.open(path, options);
    await signIn(page, merchant.apiKey, merchant.serviceKey);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** Browsers are slow when other tests share the machine. */
export const SLOW = 180_000;

/** Requires that tests end without page errors and without requests to other servers. */
export function expectNoTrouble(browser: () => ConsoleBrowser): void {
  afterEach(() => {
    expect(browser().troubles.splice(0)).toEqual([]);
    expect(browser().foreign.splice(0)).toEqual([]);
  });
}

export async function signIn(page: Page, apiKey: string, serviceKey: string): Promise<void> {
  await page.getByLabel('API key').fill(apiKey);
  await page.getByLabel('Service key').fill(serviceKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The folder for documentation pictures; they are taken on request only. */
const PICTURES = process.env['PICTURES'];

/** Takes a picture for the documentation, on request only; none without a name. */
export async function picture(page: Page, name: string | null): Promise<void> {
  if (PICTURES === undefined || name === null) return;
  await page.screenshot({ path: `${PICTURES}/${name}.png`, animations: 'disabled' });
}

/** Waits until exactly `count` elements match: a list may draw its rows again meanwhile. */
export async function waitForCount(elements: Locator, count: number): Promise<void> {
  if (count > 0) await elements.nth(count - 1).waitFor({ state: 'attached' });
  await elements.nth(count).waitFor({ state: 'detached' });
}

/** Follows a link of the navigation. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}
