import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { withProgress, type Progress } from './progress.js';

async function shown(isTTY: boolean, run: (progress: Progress) => Promise<unknown>): Promise<string> {
  const screen = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const said = text(screen);
  await withProgress(run, screen).catch(() => undefined);
  screen.end();
  return said;
}

describe('progress', () => {
  it('is a bar at a terminal, which disappears in the end, even after an error', async () => {
    const said = await shown(true, async (progress) => {
      progress(0, 2, 'products');
      progress(2, 2, 'products');
      throw new Error('no more');
    });
    expect(said).toContain('products');
    expect(said).toContain('2 of 2');
    // Shows the cursor again.
    expect(said).toContain('\u001B[?25h');
  });

  it('is a line now and then elsewhere', async () => {
    const said = await shown(false, async (progress) => {
      for (let done = 0; done <= 2500; done += 1) progress(done, 2500, 'products');
    });
    expect(said).toBe('1000 of 2500 products\n2000 of 2500 products\n');
  });

  it('returns the result of the work', async () => {
    expect(await withProgress(async () => 7, new PassThrough())).toBe(7);
  });
});
