/**
 * Builds the web console, when it has changed since it was built last. Its stamp is its own, so that a change of the
 * service does not build it anew.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { messageOf, StartError } from '../system/errors.mjs';
import { elapsed } from '../system/report.mjs';
import { ROOT } from '../system/settings.mjs';

/**
 * @import { Log } from '../system/report.mjs'
 */

const APP = join(ROOT, 'apps/console');
const OUTPUT = join(ROOT, 'node_modules/.cache/commerce-service/console');
const STAMP = join(OUTPUT, '.sources');

/** Below this a file is not worth compressing. */
const SMALL = 1024;

const TEXT = /\.(js|css|html|svg)$/;

/** A digest of what the console is made from: its own sources, the client, the API document and the packages. */
export function consoleDigest() {
  const hash = createHash('sha256');
  const folders = ['apps/console', 'clients/typescript/src'];
  const others = ['openapi.json', 'package-lock.json'].map((name) => join(ROOT, name));
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of [...files.sort(), ...others, import.meta.filename])
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

/**
 * Copies the built console into `target`, building it first where it must be.
 *
 * @param {string} target
 * @param {Log} log
 */
export async function addConsole(target, log) {
  const digest = consoleDigest();
  const isBuilt = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest;
  if (!isBuilt) await buildConsole(digest, log);
  cpSync(OUTPUT, target, { recursive: true });
}

/**
 * @param {string} digest
 * @param {Log} log
 */
async function buildConsole(digest, log) {
  const since = performance.now();
  rmSync(OUTPUT, { recursive: true, force: true });
  // Loaded here: a start whose build is up to date does without it.
  const { build } = await import('vite');
  const options = {
    root: APP,
    configFile: join(APP, 'vite.config.mjs'),
    logLevel: /** @type {const} */ ('error'),
  };
  // React is built as it says; this process goes on to run the tool.
  const { NODE_ENV } = process.env;
  try {
    process.env['NODE_ENV'] = 'production';
    await build({ ...options, build: { outDir: OUTPUT, emptyOutDir: true } });
  } catch (error) {
    throw new StartError(`The console does not build: ${messageOf(error)}`);
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
  compressAll();
  writeFileSync(STAMP, digest);
  log('Build', `built the console in ${elapsed(since)}`);
}

function compressAll() {
  for (const entry of readdirSync(OUTPUT, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !TEXT.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    if (content.length < SMALL) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  }
}
