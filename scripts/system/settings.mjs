import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The apps that are processes of their own. */
export const APPS = /** @type {const} */ (['api', 'worker', 'sandbox', 'cli']);

/** Where the build puts each app and most of its packages. */
export const BUNDLES = join(ROOT, 'dist/bundles');

/** Where Node, from 22.1 on, keeps the code that V8 has compiled; a build empties it. */
export const COMPILED = join(ROOT, 'node_modules/.cache/commerce-service/compiled');
