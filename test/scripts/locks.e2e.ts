import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { identify } from '#scripts/system/identity.mjs';
import { claim } from '#scripts/system/lock.mjs';

const folder = mkdtempSync(join(tmpdir(), 'commerce-test-locks-'));
const file = join(folder, 'lock');
const holder = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

afterEach(() => rmSync(file, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

describe('A lock file', () => {
  test('is taken by the first that asks for it', () => {
    expect(claim(file)).toBe(true);
    expect(holder()).toEqual(identify(process.pid));
  });

  test('stays with its holder while that process runs', () => {
    writeFileSync(file, JSON.stringify(identify(process.ppid)));
    expect(claim(file)).toBe(false);
    expect(holder()).toEqual(identify(process.ppid));
  });

  test('is taken over from a process that has ended', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(file, JSON.stringify({ pid, started: '1' }));
    expect(claim(file)).toBe(true);
    expect(holder()).toEqual(identify(process.pid));
  });

  test('is taken over from an earlier process that had the pid of one that runs', () => {
    writeFileSync(file, JSON.stringify({ ...identify(process.ppid), started: '1' }));
    expect(claim(file)).toBe(true);
  });

  test('in a folder that is not there is an error, not a lock that somebody holds', () => {
    expect(() => claim(join(folder, 'missing', 'lock'))).toThrow('ENOENT');
  });
});
