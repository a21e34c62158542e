import { EVENT_KINDS } from '@commerce/kernel';

import { ID } from './field-schemas.js';
import { ref, type Schema } from './openapi.js';
import type { Schemas } from './schemas.js';

/** What the service itself sends: its calls of the endpoints that companies name. */
export function webhooksOf(schemas: Schemas): Record<string, Record<string, object>> {
  schemas.all['WebhookMessage'] = message(schemas);
  schemas.all['WebhookConfirmation'] = CONFIRMATION;
  return {
    event: {
      post: callOf('event', 'WebhookMessage', {
        summary: 'An event',
        description:
          'Sent to each verified and active webhook of the kind. Any status of 2XX counts as received; anything else is tried again, five times in all. The same event may arrive twice, in any order: `id` tells repetitions, `sequence` the order.',
      }),
    },
    confirmation: {
      post: callOf('confirmation', 'WebhookConfirmation', {
        summary: 'The verification of an endpoint',
        description: 'Sent when a webhook is made and on request. An answer of 2XX verifies the endpoint.',
      }),
    },
  };
}

function callOf(name: string, schema: string, about: { summary: string; description: string }): object {
  return {
    operationId: `webhook_${name}`,
    ...about,
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema: ref('schemas', schema) } } },
    responses: { '2XX': { description: 'Received' } },
  };
}

const HEADERS = [
  ['X-Service-Webhook-Signature', 'HMAC-SHA256 of the raw body with the secret of the webhook, in hex'],
  ['X-Service-Webhook-Type', 'WebhookMessage or WebhookConfirmation'],
  ['X-Service-Webhook-Retries', 'attempts before this one'],
  ['X-Service-Event-Retries', 'the same, under its other name'],
  ['webhook-id', 'the same for every attempt (Standard Webhooks)'],
  ['webhook-timestamp', 'seconds since 1970 (Standard Webhooks)'],
  ['webhook-signature', 'v1, and the signature over id, timestamp and body (Standard Webhooks)'],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

const CONFIRMATION: Schema = {
  type: 'object',
  properties: {
    kind: { const: 'webhook.confirmation', description: 'tells a verification from an event' },
    challenge: { type: 'string', description: 'another text each time' },
    webhook: { type: 'string', pattern: ID, description: 'id of the webhook that is verified' },
  },
  required: ['kind', 'challenge', 'webhook'],
  examples: [{ kind: 'webhook.confirmation', challenge: '9f2c', webhook: '65b9a1c2d3e4f50617283940' }],
};

/** Ids in events are plain strings, and dates plain integers. */
function message(schemas: Schemas): Schema {
  const records = schemas.recordTypes();
  const nouns = [...new Set(EVENT_KINDS.map((kind) => kind.split('.')[0] ?? ''))];
  const objects = nouns.flatMap((noun) => {
    const type = records.get(noun);
    return type === undefined ? [] : [schemas.of(type, 'event')];
  });
  const properties: Record<string, Schema> = {
    id: { type: 'string', pattern: ID, description: 'id of the event, the same in every delivery' },
    object_type: { type: 'string', enum: nouns, description: 'the kind of record' },
    previous_data: { type: 'object', description: 'the previous values of the fields that changed' },
    kind: { type: 'string', enum: EVENT_KINDS, description: 'what happened' },
    object: { description: 'the record as it was after the change', anyOf: objects },
    created: { type: 'integer', format: 'int64', description: 'milliseconds since 1970, UTC' },
    sequence: { type: 'integer', description: '1, 2, 3… for each object' },
    url: { type: 'string', description: 'the endpoint' },
  };
  return { type: 'object', properties, required: Object.keys(properties) };
}
