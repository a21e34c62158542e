import { EVENT_KINDS, UNSENT_EVENT_KINDS, type EventKind } from '@commerce/kernel';
import { Choice, Choices, Flag, Instant, OwnedRecord, RecordOf, Text, Written } from '@commerce/records';

import { WEBHOOK_KINDS, type WebhookKind } from './webhook-kinds.js';

/** The secrets of a webhook as the database holds them: sealed. */
export interface SealedSecrets {
  readonly current: string;
  /** The secret before the last rotation. Deliveries are signed with it as well until `previous_until`. */
  readonly previous: string | null;
  readonly previous_until: Date | null;
}

/** Deliveries given up since the last success, and the date of the first of them. */
export interface FailingSince {
  readonly since: Date;
  readonly deliveries: number;
}

const SECRET = { type: ['string', 'null'] };

/** The endpoint to which a company wants events sent, and their kinds. */
@RecordOf({
  collection: 'webhooks',
  noun: 'webhook',
  cls: 'Webhook',
  touched: 'updated',
  deleted: 'deleted',
  list: { sorts: ['created', 'updated'] },
})
export class WebhookRecord extends OwnedRecord {
  @Choice(EVENT_KINDS, {
    fold: 'lower',
    unlisted: UNSENT_EVENT_KINDS,
    optional: true,
    description: 'the kind of event that is sent; null where there are several',
  })
  event_type: EventKind | null;

  @Choices(WEBHOOK_KINDS, {
    fold: 'lower',
    unlisted: UNSENT_EVENT_KINDS,
    default: () => [],
    description: 'the kinds of events that are sent; `*` stands for all of them',
  })
  kinds: readonly WebhookKind[];

  @Text({ max: 2048, description: 'URL that is called' })
  endpoint: string;

  /** Never stored: opened from the sealed secret whenever an admin reads the record. */
  @Written({ description: 'signs deliveries: 64 hexadecimal digits', schema: SECRET })
  secret: string | null;

  @Written({ description: 'the same secret in the format of Standard Webhooks', schema: SECRET })
  signing_secret: string | null;

  @Text({ description: 'the API version that decides on the header names', example: '2019-09-18' })
  version: string;

  @Flag({ default: true, description: 'whether events are sent' })
  active: boolean;

  @Flag({ default: false, description: 'whether the endpoint has answered a verification call with 2XX' })
  verified: boolean;

  @Text({ optional: true, description: 'why the service deactivated it' })
  reason: string | null;

  @Written({ hidden: true })
  secrets: SealedSecrets;

  @Written({ hidden: true })
  failing: FailingSince | null;

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  updated: Date;
}
