import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const STAMP = 'node_modules/.cache/commerce-service/console/.sources';

describe('A build of the console', () => {
  it.each([undefined, 'test'])('leaves NODE_ENV %s to the tool that runs after it', (before) => {
    const target = mkdtempSync(join(tmpdir(), 'commerce-console-'));
    rmSync(STAMP, { force: true });
    const script = `
      const { addConsole } = await import('./scripts/setup/console.mjs');
      await addConsole(${JSON.stringify(target)}, () => undefined);
      process.stdout.write(JSON.stringify(process.env.NODE_ENV ?? null));
    `;
    const env = { PATH: process.env['PATH'], ...(before === undefined ? {} : { NODE_ENV: before }) };
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env });
    rmSync(target, { recursive: true });
    expect(JSON.parse(String(printed))).toBe(before ?? null);
  });
});
