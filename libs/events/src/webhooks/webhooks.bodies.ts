import { createBody, updateBody } from '@commerce/platform';

import { WebhookRecord } from './webhook.record.js';

export class CreateWebhookBody extends createBody(WebhookRecord, ['event_type', 'endpoint', 'active']) {}

/** `active` too, so that an endpoint that was switched off can come back. */
export class UpdateWebhookBody extends updateBody(WebhookRecord, ['event_type', 'endpoint', 'active']) {}
