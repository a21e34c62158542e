import { sortsOf, createBody, listQuery, updateBody } from '@commerce/records';

import { WebhookRecord } from './webhook.record.js';

export class CreateWebhookBody extends createBody(WebhookRecord, ['event_type', 'endpoint', 'active']) {}

/** Includes `active`, so that a webhook that the service has deactivated can be activated again. */
export class UpdateWebhookBody extends updateBody(WebhookRecord, ['event_type', 'endpoint', 'active']) {}

export class ListWebhooksQuery extends listQuery({
  sortable: sortsOf(WebhookRecord),
  sort: '-created',
  dates: ['created', 'updated'],
}) {}
