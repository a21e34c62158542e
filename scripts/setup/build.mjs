/**
 * Compiles the apps, the libraries and, in a checkout, the tools and the client with SWC, file by file and without
 * checking types, and makes a bundle of each app.
 *
 * `npm run lint` checks them, in CI too. One `nest build` per app would parse and check the shared libraries four
 * times. The output is moved into place when it is complete, so a failed build leaves the last good one, and nothing
 * of removed sources survives.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { bundleApps } from './bundle.mjs';
import { ensureClientTypes } from './client-types.mjs';
import { addConsole, consoleDigest } from './console.mjs';
import { addFonts } from './fonts.mjs';
import { SWC_OPTIONS } from './swc-options.mjs';
import { withLock } from '../system/lock.mjs';
import { messageOf, StartError } from '../system/errors.mjs';
import { elapsed } from '../system/report.mjs';
import { COMPILED, ROOT } from '../system/settings.mjs';

/**
 * @import { Log } from '../system/report.mjs'
 */

const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.sources');
const CACHE = join(ROOT, 'node_modules/.cache/commerce-service');
const OUTPUT = join(CACHE, 'dist');
/** Built by itself: it runs in browsers. */
const CONSOLE = join('apps', 'console') + sep;
/** Types alone, made by the build. */
const TYPES = join('clients', 'typescript', 'src', 'schema.ts');

/** The inputs of the output, as paths within the project: sources, and files that are used unchanged. */
function sources() {
  // The image is built without the tools and the clients.
  const folders = ['apps', 'libs', 'tools', 'clients'].filter((folder) => existsSync(join(ROOT, folder)));
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ts$|\/assets\/[^/]+\.(js|css|typ)$/.test(name) && !/\.(spec|d)\.ts$/.test(name))
      .map((name) => join(folder, name))
      .filter((name) => !name.startsWith(CONSOLE) && name !== TYPES),
  );
}

/** A digest of everything the output depends on: names and contents, so a fresh clone or a touch is no change. */
function sourcesDigest() {
  const hash = createHash('sha256');
  for (const file of [
    'scripts/setup/swc-options.mjs',
    'scripts/setup/bundle.mjs',
    'scripts/setup/fonts.mjs',
    'package-lock.json',
    ...sources().sort(),
  ])
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  return hash.update(consoleDigest()).digest('hex');
}

function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourcesDigest();
}

/**
 * Builds when the sources have changed since the last build.
 *
 * @param {Log} log
 * @param {{force?: boolean}} [options]
 */
export async function ensureBuilt(log, { force = false } = {}) {
  await ensureClientTypes();
  if (!force && isBuilt()) return log('Build', 'dist is up to date');
  const lock = join(CACHE, 'build.lock');
  const waiting = () => log('Build', 'another build is running; waiting for it');
  await withLock(
    lock,
    () => (!force && isBuilt() ? log('Build', 'done by the other build') : build(log)),
    waiting,
  );
}

/** @param {string} file  a path within the project */
async function emit(file) {
  const target = join(OUTPUT, file);
  mkdirSync(dirname(target), { recursive: true });
  if (!file.endsWith('.ts')) return cpSync(join(ROOT, file), target);
  // Loaded here: a start whose build is up to date, and the image at run time, do without the compiler.
  const { transformFile } = await import('@swc/core');
  const { code, map } = await transformFile(join(ROOT, file), {
    ...SWC_OPTIONS,
    sourceFileName: join(ROOT, file),
    sourceMaps: true,
  });
  const script = target.replace(/\.ts$/, '.js');
  writeFileSync(script, `${code}//# sourceMappingURL=${basename(script)}.map\n`);
  writeFileSync(`${script}.map`, map ?? '');
}

/** @param {Log} log */
async function build(log) {
  const since = performance.now();
  const digest = sourcesDigest();
  rmSync(OUTPUT, { recursive: true, force: true });
  await Promise.all(
    sources().map((file) =>
      emit(file).catch((/** @type {unknown} */ error) => {
        throw new StartError(`${file} does not compile: ${messageOf(error)}`);
      }),
    ),
  );
  await bundleApps(OUTPUT);
  await addConsole(join(OUTPUT, 'console'), log);
  addFonts(join(OUTPUT, 'fonts'));
  writeFileSync(join(OUTPUT, '.sources'), digest);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(OUTPUT, DIST);
  // The bundles have new names. Processes that end at this moment may add to it.
  rmSync(COMPILED, { recursive: true, force: true, maxRetries: 3 });
  log('Build', `compiled the apps in ${elapsed(since)}`);
}
