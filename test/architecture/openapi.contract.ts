import { readFileSync } from 'node:fs';

import { previewDocument } from '../../apps/api/src/openapi/preview.js';

describe('openapi.json', () => {
  it('is what the routes and records say today; `npm run openapi` writes it again', async () => {
    const written: unknown = JSON.parse(readFileSync('openapi.json', 'utf8'));
    expect(written).toEqual(JSON.parse(JSON.stringify(await previewDocument())));
  });

  it('says what nearly every route answers with', async () => {
    const document = await previewDocument();
    const routes: any[] = Object.values(document.paths).flatMap((item) => Object.values(item));
    const silent = routes.filter((route) => route.responses['200'] && !route.responses['200'].content);
    expect(silent.length).toBeLessThan(routes.length * 0.15);
  });
});
