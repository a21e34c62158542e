import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'secrets.key';
/** Its name while it sealed the secrets of webhooks only. */
const FORMER_NAME = 'webhook-secret.key';

/**
 * Reads the key from the data directory; the first start creates it. When several processes start at once, each
 * writes a file of its own and tries to link it to the common name. One succeeds, and all of them read its file.
 */
export async function keyFromFile(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, NAME);
  const found = (await read(path)) ?? (await read(join(dataDir, FORMER_NAME)));
  if (found) return found;
  await mkdir(dataDir, { recursive: true });
  const own = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, randomBytes(32).toString('hex'), { mode: 0o600, flush: true });
  try {
    await link(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(own, { force: true });
  }
  const key = await read(path);
  if (key === null) throw new Error(`${path} was written but cannot be read`);
  return key;
}

async function read(path: string): Promise<Uint8Array | null> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error(`${path} does not hold a key: 64 hexadecimal digits`);
  return Buffer.from(text, 'hex');
}
