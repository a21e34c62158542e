import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of the console, whole and as the build compressed it. */
export interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Brotli; null where the build made none. */
  readonly compressed: Buffer | null;
  /** The name holds a digest of the content. */
  readonly immutable: boolean;
}

const COMPRESSED = '.br';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the build lies as seen from the compiled file, and from its source in tests. */
const PLACES = ['../../../../console', '../../../../dist/console'];

/** The built console by path, such as `assets/index-4f2a.js`; empty where it was not built. */
export function consoleFiles(): ReadonlyMap<string, ConsoleFile> {
  const dir = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) =>
    existsSync(join(place, 'index.html')),
  );
  const files = new Map<string, ConsoleFile>();
  if (dir === undefined) return files;
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(dir, path).split(sep).join('/');
    const compressed = existsSync(path + COMPRESSED) ? readFileSync(path + COMPRESSED) : null;
    files.set(name, { type, plain: readFileSync(path), compressed, immutable: name.startsWith('assets/') });
  }
  return files;
}
