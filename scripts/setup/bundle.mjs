/**
 * Puts each app and most of its packages into few files: of four thousand files, Node spends more time on finding and
 * reading them than on running what they say. The compiled files stay beside the bundles: the tools use some of them,
 * and the files that the apps send unchanged, such as style sheets, are found at their places.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { APPS, BUNDLES } from '../system/settings.mjs';

/**
 * @import { Plugin } from 'rolldown'
 */

/** Stay outside, as packages that are installed, for the reason that each line gives. */
const OUTSIDE = [
  // Code of the machine, a thread of its own, or files that are found beside the code.
  ...['sharp', 'pino', '@bull-board/ui', 'swagger-ui-dist'],
  // Its driver looks for optional packages of several kinds, and the tests listen to what it sends.
  'mongoose',
  // Only development uses what loads them.
  ...['prettier', 'typescript'],
];

/**
 * @param {string} folder of the compiled files, which the bundles join
 * @returns {Promise<void>}
 */
export async function bundleApps(folder) {
  // The bundler names files by their real paths, also where node_modules is a link.
  const output = realpathSync(folder);
  // Loaded here: a start whose build is up to date, and the image at run time, do without it.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(APPS.map((app) => [app, join(output, `apps/${app}/src/main.js`)])),
    platform: 'node',
    external: isOutside,
    plugins: [ownFiles(output), mappedTypes()],
    onLog(level, log, handle) {
      // Packages look for optional ones that are not there, for one, and say so themselves where one is needed.
      const ours = !log.id || isWithin(output, log.id);
      if (ours) handle(level === 'warn' ? 'error' : level, log);
    },
  });
  try {
    await bundle.write({
      dir: join(output, basename(BUNDLES)),
      format: 'esm',
      // Nest and our own logs tell classes by their names.
      keepNames: true,
      sourcemap: true,
      // The output is moved to its place when it is complete, and sources are named as they are found from there.
      sourcemapPathTransform: (source, map) => relative(BUNDLES, resolve(dirname(map), source)),
    });
  } finally {
    await bundle.close();
  }
}

/** @param {string} id as an import names it */
function isOutside(id) {
  return OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`));
}

/**
 * Reads our own compiled files with their source maps, and has them find what lies beside them.
 *
 * @param {string} output
 * @returns {Plugin}
 */
function ownFiles(output) {
  return {
    name: 'own-files',
    load(id) {
      if (!isWithin(output, id)) return null;
      const place = JSON.stringify(relative(join(output, basename(BUNDLES)), id));
      const code = readFileSync(id, 'utf8').replaceAll(
        'import.meta.url',
        `new URL(${place}, import.meta.url).href`,
      );
      return { code, map: readFileSync(`${id}.map`, 'utf8') };
    },
  };
}

/**
 * Nest copies decorators by a `require` of its own making, which no bundler sees. It would load class-validator and
 * class-transformer a second time, from outside the bundle, where the latter knows none of our decorators.
 *
 * @returns {Plugin}
 */
function mappedTypes() {
  const hidden = 'const require = createRequire(import.meta.url);';
  return {
    name: 'mapped-types',
    transform: {
      filter: { id: /@nestjs\/mapped-types\/dist\/type-helpers\.utils\.js$/ },
      handler(code) {
        if (!code.includes(hidden)) this.error('@nestjs/mapped-types loads the validators in another way');
        return { code: code.replace(hidden, ''), map: null };
      },
    },
  };
}

/**
 * @param {string} folder
 * @param {string} file
 */
function isWithin(folder, file) {
  return file.startsWith(`${folder}/`);
}
