import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The files in these folders, or these files themselves, with one of these endings. */
export function sourcesIn(roots: readonly string[], endings: readonly string[]): Source[] {
  return roots
    .flatMap((root) => (endings.some((ending) => root.endsWith(ending)) ? [root] : filesIn(root)))
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return ['node_modules', 'dist'].includes(entry.name) ? [] : filesIn(path);
  });
}
