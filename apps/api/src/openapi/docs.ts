import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

import { openApiDocument } from './document.js';

/** Serves the document at /docs and /docs-json. It is made when first asked for: few processes ever need it. */
export function serveDocs(app: INestApplication): void {
  let document: OpenAPIObject | null = null;
  const made = (): OpenAPIObject => (document ??= openApiDocument(app) as unknown as OpenAPIObject);
  SwaggerModule.setup('docs', app, made, {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Commerce service API',
  });
}
