import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { transformFileSync } from '@swc/core';

const ROOT = process.cwd();
const CLIENT = join(ROOT, 'clients/typescript');
const OPTIONS = { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } } as const;

/** Puts the client of this checkout into a folder's packages, without a registry. */
export function installClient(folder: string): void {
  const packages = join(folder, 'node_modules');
  const own = join(packages, 'commerce-service-client');
  mkdirSync(join(own, 'dist'), { recursive: true });
  const manifest = readFileSync(join(CLIENT, 'package.json'), 'utf8');
  writeFileSync(join(own, 'package.json'), manifest);
  for (const name of readdirSync(join(CLIENT, 'src'))) {
    const { code } = transformFileSync(join(CLIENT, 'src', name), OPTIONS);
    writeFileSync(join(own, 'dist', name.replace(/\.ts$/, '.js')), code);
  }
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  for (const name of Object.keys(dependencies))
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
}
