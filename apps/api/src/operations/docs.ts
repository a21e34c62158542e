import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

import { NEWEST } from '../http/versions/versions.js';

/** The OpenAPI document, made from the same classes that validate and store. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setTitle('Commerce service')
    .setDescription(
      'Products, plans, subscriptions, payments with strong customer authentication, and signed webhooks.',
    )
    .setVersion(NEWEST)
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Service-Api-Key' }, 'api_key')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'a service account key, sk_…' },
      'service_key',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'a user token' },
      'access_token',
    )
    .build();
  return SwaggerModule.createDocument(app, about);
}

/** Serves the document at /docs and /docs-json. It is made when first asked for: few processes ever need it. */
export function serveDocs(app: INestApplication): void {
  let document: OpenAPIObject | null = null;
  SwaggerModule.setup('docs', app, () => (document ??= openApiDocument(app)), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Commerce service API',
  });
}
