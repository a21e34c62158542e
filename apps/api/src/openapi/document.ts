import type { INestApplication } from '@nestjs/common';

import { NEWEST, OLDEST } from '../http/versions/versions.js';
import type { OpenApi, Operation } from './openapi.js';
import { operationOf, securitySchemes } from './operations.js';
import { REPLY_HEADERS, REQUEST_HEADERS } from './parameters.js';
import { PAYMENT_DECLINED, PROBLEM, sharedRefusals } from './refusals.js';
import { routesOf } from './routes.js';
import { Schemas } from './schemas.js';
import { tagsOf } from './tags.js';
import { webhooksOf } from './webhooks.js';

const ABOUT = `Products, plans, subscriptions, payments with strong customer authentication, and signed webhooks.

**Calling.** Every request carries the company's API key in \`X-Service-Api-Key\`. \`Authorization: Bearer …\` says who calls: an Admin with a service key, a User with a user token. \`npm start\` prints the keys of the demo company; paste them under *Authorize* to try the calls here.

**Values.** Replies wrap ids as \`{"$oid": "…"}\` and dates as \`{"$date": milliseconds}\`; requests take ids as strings and dates as integers. Amounts are decimals in major units.

**Lists** are arrays; \`Link\` leads to the other pages. With \`total=true\`, \`X-Total-Count\` says how many records there are, exact up to 10,000.

**Retries.** An \`Idempotency-Key\` makes a POST, PUT or DELETE safe to repeat for 24 hours.

**Refusals** are problem documents (RFC 9457) with a stable \`code\`.

**Versions.** \`X-Service-Version\` takes a date from ${OLDEST} on; this document describes ${NEWEST}, the newest.`;

/** The OpenAPI 3.1 document, made of the same classes that validate and store. */
export function openApiDocument(app: INestApplication): OpenApi {
  const routes = routesOf(app);
  const schemas = new Schemas();
  schemas.all['Problem'] = PROBLEM;
  schemas.all['PaymentDeclined'] = PAYMENT_DECLINED;
  schemas.addReplies(routes.map(({ notes }) => notes.answer));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operationOf(route, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Commerce service',
      version: NEWEST,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf(new Set(routes.flatMap(({ tags }) => tags))),
    paths,
    webhooks: webhooksOf(schemas),
    components: {
      schemas: sorted(schemas.all),
      parameters: { ...REQUEST_HEADERS },
      headers: { ...REPLY_HEADERS },
      responses: { ...sorted(schemas.replies), ...sharedRefusals() },
      securitySchemes: securitySchemes(),
    },
  };
}

function sorted<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}
