import { EVENT_KINDS, type EventKind } from '@commerce/kernel';
import { Choice, Flag, Instant, OwnedRecord, RecordOf, Text, Written } from '@commerce/platform';

/** A webhook's secrets as they lie in the database, sealed. */
export interface SealedSecrets {
  readonly current: string;
  /** The secret before the last rotation; receivers may still check by it until then. */
  readonly previous: string | null;
  readonly previous_until: Date | null;
}

/** Deliveries given up since the last success. */
export interface FailingSince {
  readonly since: Date;
  readonly deliveries: number;
}

const SECRET = { type: ['string', 'null'] };

/** Where a company wants to be told of one kind of event. */
@RecordOf({
  collection: 'webhooks',
  noun: 'webhook',
  cls: 'Webhook',
  touched: 'updated',
  deleted: 'deleted',
  indexes: [{ fields: { company: 1, event_type: 1 } }, { fields: { company: 1, created: -1 } }],
})
export class WebhookRecord extends OwnedRecord {
  @Choice(EVENT_KINDS, { fold: 'lower', description: 'the kind of event' })
  event_type: EventKind;

  @Text({ max: 2048, description: 'URL that is called' })
  endpoint: string;

  /** Never stored: the service opens it from the sealed one for an admin to read. */
  @Written({ description: 'signs the deliveries: 64 hexadecimal digits', schema: SECRET })
  secret: string | null;

  @Written({ description: 'the same secret in the form of Standard Webhooks', schema: SECRET })
  signing_secret: string | null;

  @Text({ description: 'the version of the interface that decides on header names', example: '2019-09-18' })
  version: string;

  @Flag({ default: true, description: 'whether events are sent' })
  active: boolean;

  @Flag({ default: false, description: 'whether the endpoint answered its verification with 2XX' })
  verified: boolean;

  @Text({ optional: true, description: 'why the service switched it off' })
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
