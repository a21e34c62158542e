import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

import { answeredTypes } from '../http/answers.js';
import { NEWEST } from '../http/versions/versions.js';
import { WRAPPED, replySchema } from './reply-schema.js';

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
  return completed(SwaggerModule.createDocument(app, about));
}

const PROBLEM = {
  type: 'object',
  description: 'RFC 9457; the codes are listed in docs/errors.md',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', example: 'value.invalid' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'],
};

/** Adds what no decorator says: how records look in replies, and the one shape of all refusals. */
function completed(document: OpenAPIObject): OpenAPIObject {
  const records = [...answeredTypes()].map(([name, type]) => [name, replySchema(type)] as const);
  const schemas: NonNullable<NonNullable<OpenAPIObject['components']>['schemas']> = {
    ...document.components?.schemas,
    ...WRAPPED,
    ...Object.fromEntries(records),
    Problem: PROBLEM,
  };
  const refusal = {
    description: 'a refusal',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { responses?: Record<string, unknown> }[]) {
      if (operation.responses) operation.responses['default'] = refusal;
    }
  }
  return {
    ...document,
    components: { ...document.components, schemas },
  };
}

/** Serves the document at /docs and /docs-json. It is made when first asked for: few processes ever need it. */
export function serveDocs(app: INestApplication): void {
  let document: OpenAPIObject | null = null;
  SwaggerModule.setup('docs', app, () => (document ??= openApiDocument(app)), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Commerce service API',
  });
}
