import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { CONFIG, type Config } from '@commerce/platform';
import { STYLED_IN_PLACE, pagePolicy } from '@commerce/process';

import { openApiDocument } from '../document.js';
import { DOCS_CSS } from './docs-css.js';

const PATH = 'docs';

/**
 * Serves the document at /docs-json, and at /docs as a page on which every route can be tried. The document is made
 * when it is first asked for: few processes ever need it.
 */
export function serveDocs(app: NestExpressApplication): void {
  let document: OpenAPIObject | null = null;
  const made = (): OpenAPIObject => (document ??= openApiDocument(app) as unknown as OpenAPIObject);
  const { environment } = app.get<Config>(CONFIG);
  app.use(`/${PATH}`, pagePolicy(STYLED_IN_PLACE));
  SwaggerModule.setup(PATH, app, made, {
    jsonDocumentUrl: `${PATH}-json`,
    raw: ['json'],
    customSiteTitle: 'Commerce service API',
    customCss: DOCS_CSS,
    swaggerOptions: {
      // The browser keeps the keys that were entered; live ones must not outlast the page.
      persistAuthorization: environment !== 'production',
      tryItOutEnabled: true,
      displayRequestDuration: true,
      docExpansion: 'list',
      filter: true,
      // Schemas are shown where they are used; the list of all of them would be as long as the rest.
      defaultModelsExpandDepth: -1,
      defaultModelExpandDepth: 3,
      // No badge of an address outside.
      validatorUrl: null,
    },
  });
}
