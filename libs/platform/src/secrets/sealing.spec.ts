import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { keyFromFile } from './key-file.js';
import { Sealer } from './sealer.js';
import { isSealed, keyId, open, seal } from './sealing.js';

const key = randomBytes(32);
const other = randomBytes(32);

describe('a sealed secret', () => {
  it('opens with the key that sealed it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, about) => {
        expect(open(seal(text, about, key), about, [other, key])).toBe(text);
      }),
    );
  });

  it('names its key and shows nothing of its text', () => {
    const sealed = seal('very secret', 'w1', key);
    expect(sealed.startsWith(`${keyId(key)}.`)).toBe(true);
    expect(sealed).not.toContain(Buffer.from('very secret').toString('base64url'));
    expect(seal('very secret', 'w1', key)).not.toBe(sealed);
  });

  it('does not open elsewhere, altered, or without its key', () => {
    const sealed = seal('very secret', 'w1', key);
    expect(() => open(sealed, 'w2', [key])).toThrow();
    expect(() => open(sealed, 'w1', [other])).toThrow('not configured');
    const [id = '', data = ''] = sealed.split('.');
    const bytes = Buffer.from(data, 'base64url');
    for (const at of [0, 15, bytes.length - 1]) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => open(`${id}.${altered.toString('base64url')}`, 'w1', [key])).toThrow();
    }
  });
});

describe('the sealer', () => {
  const place = ['payments', '65b9a1c2d3e4f5061728394a', 'client_secret'] as const;

  it('opens what any of its keys sealed, in its own place only', () => {
    const sealed = new Sealer([other]).seal('pi_1_secret_x', place);
    const sealer = new Sealer([key, other]);
    expect(sealer.open(sealed, place)).toBe('pi_1_secret_x');
    expect(() => sealer.open(sealed, ['payments', place[1], 'other'])).toThrow();
    expect(() => new Sealer([key]).open(sealed, place)).toThrow('not configured');
  });

  it('seals again what the first key did not seal', () => {
    const sealer = new Sealer([key, other]);
    const resealed = sealer.reseal(new Sealer([other]).seal('pi_1_secret_x', place), place);
    expect(new Sealer([key]).open(resealed!, place)).toBe('pi_1_secret_x');
    expect(sealer.reseal(resealed!, place)).toBeNull();
  });

  it('takes nothing for sealed that is not', () => {
    for (const text of ['{"id":"65b9a1c2"}', 'pi_3OeK_secret_9fTqyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy', ''])
      expect(isSealed(text)).toBe(false);
    expect(isSealed(seal('', 'about', key))).toBe(true);
  });
});

describe('the key file', () => {
  it('is made once, however many processes start at once, for its owner only', async () => {
    const dir = join(await mkdtemp(join(tmpdir(), 'commerce-key-')), 'new');
    const keys = await Promise.all(Array.from({ length: 8 }, () => keyFromFile(dir)));
    expect(new Set(keys.map((one) => Buffer.from(one).toString('hex'))).size).toBe(1);
    const path = join(dir, 'secrets.key');
    expect(Buffer.from(keys[0]!).toString('hex')).toBe(await readFile(path, 'utf8'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(Buffer.from(await keyFromFile(dir))).toEqual(Buffer.from(keys[0]!));
  });

  it('stops the start when it holds something else', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'commerce-key-'));
    await writeFile(join(dir, 'secrets.key'), 'not a key');
    await expect(keyFromFile(dir)).rejects.toThrow('does not hold a key');
  });
});
