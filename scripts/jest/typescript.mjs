/** Node's hooks for modules: the project's TypeScript is compiled when it is imported. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { SWC_OPTIONS } from '../setup/swc-options.mjs';

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    const url = new URL(specifier.replace(/js$/, 'ts'), context.parentURL);
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return nextResolve(specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const { code } = await transformFile(fileURLToPath(url), { ...SWC_OPTIONS, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
