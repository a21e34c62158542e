import type { EventKind } from '@commerce/kernel';
import { makeRecord, newId } from '@commerce/platform';

import type { PendingEvent } from '../log/event.store.js';
import { WebhookRecord } from '../webhooks/webhook.record.js';
import { fanOut } from './fan-out.js';

const NOW = new Date(1_700_000_000_000);
const company = newId();

function event(kind: EventKind): PendingEvent {
  const _id = newId();
  const object_id = newId();
  return {
    _id,
    id: _id.toHexString(),
    company,
    kind,
    object_id,
    object: object_id.toHexString(),
    sequence: 1,
    body: '{}',
  };
}

function webhook(event_type: EventKind): WebhookRecord {
  const endpoint = `https://example.com/${event_type}`;
  return makeRecord(WebhookRecord, { company, event_type, endpoint, version: '2019-09-18' }, NOW);
}

describe('fanOut', () => {
  it('makes one delivery for each event and each webhook of its kind', () => {
    const events = [event('user.created'), event('order.created'), event('user.created')];
    const webhooks = [webhook('user.created'), webhook('user.created'), webhook('user.updated')];
    const made = fanOut(events, webhooks, NOW);
    expect(made.map((one) => [one.event, one.webhook])).toEqual([
      [events[0]?._id, webhooks[0]?._id],
      [events[0]?._id, webhooks[1]?._id],
      [events[2]?._id, webhooks[0]?._id],
      [events[2]?._id, webhooks[1]?._id],
    ]);
  });

  it('has them due at once, for the endpoint of now', () => {
    const [made] = fanOut([event('user.created')], [webhook('user.created')], NOW);
    expect(made).toMatchObject({
      company,
      status: 'PENDING',
      next_attempt: NOW,
      endpoint: 'https://example.com/user.created',
      event_type: 'user.created',
      attempt: 0,
      generation: 0,
      attempts: [],
    });
  });
});
