import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const STAMP = 'node_modules/.cache/commerce-service/console/.sources';

describe('A build of the console', () => {
  it.each([undefined, 'test', 'development'])(
    'is one for production with NODE_ENV %s, which it leaves',
    (before) => {
      const target = mkdtempSync(join(tmpdir(), 'commerce-console-'));
      rmSync(STAMP, { force: true });
      const script = `
      const { addConsole } = await import('./scripts/setup/console.mjs');
      await addConsole(${JSON.stringify(target)}, () => undefined);
      process.stdout.write(JSON.stringify(process.env.NODE_ENV ?? null));
    `;
      const env = { PATH: process.env['PATH'], ...(before === undefined ? {} : { NODE_ENV: before }) };
      const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env });
      const assets = join(target, 'assets');
      const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
      const warns = scripts.filter((name) =>
        readFileSync(join(assets, name), 'utf8').includes('two children with the same key'),
      );
      rmSync(target, { recursive: true });
      expect(scripts.length).toBeGreaterThan(10);
      expect(warns).toEqual([]);
      expect(JSON.parse(String(printed))).toBe(before ?? null);
    },
  );
});
