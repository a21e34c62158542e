import { writeFileSync } from 'node:fs';

import { startOrExplain } from '@commerce/process';

import { errorsPage } from './openapi/errors-page.js';
import { previewDocument } from './openapi/preview.js';

/** Writes the files generated from the code: openapi.json and docs/errors.md. */
startOrExplain('The writing of openapi.json', async () => {
  writeFileSync('openapi.json', `${JSON.stringify(await previewDocument(), null, 2)}\n`);
  writeFileSync('docs/errors.md', errorsPage());
});
