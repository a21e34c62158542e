import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of the console, plain and compressed by the build. */
export interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  /** The Brotli form; null when the build made none. */
  readonly compressed: Buffer | null;
  /** True when the name holds a digest of the content. */
  readonly immutable: boolean;
}

const COMPRESSED = '.br';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The build's folder relative to the compiled file and, in tests, to the source file. */
const PLACES = ['../../../../console', '../../../../dist/console'];

/** The files of the built console by path, such as `assets/index-4f2a.js`; empty when the console was not built. */
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
