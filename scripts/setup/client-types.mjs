/** The types of the client: made from openapi.json, of which they are three times as many lines. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../system/settings.mjs';

const DOCUMENT = join(ROOT, 'openapi.json');
const TYPES = join(ROOT, 'clients/typescript/src/schema.ts');

/** Writes the types where they are missing, or were made from another document. */
export async function ensureClientTypes() {
  const digest = createHash('sha256').update(readFileSync(DOCUMENT)).digest('hex');
  const mark = `// Made from openapi.json ${digest}\n`;
  if (existsSync(TYPES) && readFileSync(TYPES, 'utf8').startsWith(mark)) return;
  // Loaded here: a start whose types are up to date does without it.
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const types = astToString(await openapiTypes(pathToFileURL(DOCUMENT), { defaultNonNullable: false }));
  // Another process may read them, or write them, too.
  const made = join(ROOT, `node_modules/.client-types-${process.pid}.ts`);
  writeFileSync(made, mark + types);
  renameSync(made, TYPES);
}
