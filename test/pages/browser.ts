import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

/** The first is Chromium without the parts that show windows: pages take half the processor time in it. */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** Starts this machine's Chromium without a window. Without a Chromium the test fails; it is not skipped. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      'There is no Chromium here: `apt-get install chromium-headless-shell`, or set CHROMIUM to its path',
    );
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
