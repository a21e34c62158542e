import { writeFileSync } from 'node:fs';

import { startOrExplain } from '@commerce/platform';

import { previewDocument } from './openapi/preview.js';

/** Writes openapi.json. */
startOrExplain('The writing of openapi.json', async () => {
  writeFileSync('openapi.json', `${JSON.stringify(await previewDocument(), null, 2)}\n`);
});
