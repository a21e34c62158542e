import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { keyFromFile } from './key-file.js';
import { keyId, open, seal } from './sealing.js';

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

describe('the key file', () => {
  it('is made once, however many processes start at once, for its owner only', async () => {
    const dir = join(await mkdtemp(join(tmpdir(), 'commerce-key-')), 'new');
    const keys = await Promise.all(Array.from({ length: 8 }, () => keyFromFile(dir)));
    expect(new Set(keys.map((one) => Buffer.from(one).toString('hex'))).size).toBe(1);
    const path = join(dir, 'webhook-secret.key');
    expect(Buffer.from(keys[0]!).toString('hex')).toBe(await readFile(path, 'utf8'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(Buffer.from(await keyFromFile(dir))).toEqual(Buffer.from(keys[0]!));
  });

  it('stops the start when it holds something else', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'commerce-key-'));
    await writeFile(join(dir, 'webhook-secret.key'), 'not a key');
    await expect(keyFromFile(dir)).rejects.toThrow('does not hold a key');
  });
});
