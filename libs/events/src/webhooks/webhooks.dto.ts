import { EVENT_KINDS, UNSENT_EVENT_KINDS, type EventKind } from '@commerce/kernel';
import { Choice, sortsOf, createBody, listQuery, updateBody } from '@commerce/records';

import { WebhookRecord } from './webhook.record.js';

const FIELDS = ['kinds', 'endpoint', 'active'] as const;

/** A request leaves the kind out where it names several; only replies have null. */
const EventType = (): PropertyDecorator =>
  Choice(EVENT_KINDS, {
    fold: 'lower',
    unlisted: UNSENT_EVENT_KINDS,
    default: () => null,
    description: 'the kind of event that is sent; `kinds` names several in its place',
  });

export class CreateWebhookBody extends createBody(WebhookRecord, FIELDS) {
  @EventType()
  event_type?: EventKind | null;

  @Choice(['now', 'later'], {
    default: 'now',
    fold: 'lower',
    description:
      '`now`: the endpoint is called before the reply; `later`: not until POST /webhooks/<id>/verify, so that it can learn the secret first',
  })
  confirm?: 'now' | 'later';
}

/** Includes `active`, so that a webhook that the service has deactivated can be activated again. */
export class UpdateWebhookBody extends updateBody(WebhookRecord, FIELDS) {
  @EventType()
  event_type?: EventKind;
}

export class SimulateEventBody {
  @Choice(EVENT_KINDS, {
    optional: true,
    fold: 'lower',
    unlisted: UNSENT_EVENT_KINDS,
    description: "one of the webhook's kinds; its first when left out",
  })
  kind?: EventKind | null;
}

export class ListWebhooksQuery extends listQuery({
  sortable: sortsOf(WebhookRecord),
  sort: '-created',
  dates: ['created', 'updated'],
}) {}
