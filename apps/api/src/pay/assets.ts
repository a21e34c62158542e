import { readFileSync } from 'node:fs';

import { fault } from '@commerce/kernel';

export interface Asset {
  readonly type: string;
  readonly text: string;
}

/** The files that the page loads, from the folder beside this file. */
const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['pay.js', { type: 'text/javascript', text: read('pay.js') }],
  ['pay.css', { type: 'text/css', text: read('pay.css') }],
]);

/** @throws Fault `path.not_found` */
export function assetNamed(name: string): Asset {
  const found = ASSETS.get(name);
  if (found === undefined) throw fault('path.not_found', 'There is no such file');
  return found;
}

function read(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
}
