import type { EventKind } from '@commerce/kernel';
import { makeRecord, newId } from '@commerce/records';

import type { LeaseOnCreation } from '../delivery/leased-delivery.js';
import type { PendingEvent } from '../log/event.store.js';
import type { WebhookKind } from '../webhooks/webhook-kinds.js';
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
  return makeRecord(
    WebhookRecord,
    { company, event_type, kinds: [event_type], endpoint, version: '2019-09-18' },
    NOW,
  );
}

function webhookFor(...kinds: WebhookKind[]): WebhookRecord {
  const endpoint = 'https://example.com/several';
  return makeRecord(WebhookRecord, { company, kinds, endpoint, version: '2019-09-18' }, NOW);
}

const LEASE_END = new Date(NOW.getTime() + 25_000);

function lease(room: number): LeaseOnCreation {
  let left = room;
  return { name: 'me-1', at: NOW, until: LEASE_END, since: 7, take: () => left-- > 0 };
}

describe('fanOut', () => {
  it('makes one delivery for each event and each webhook of its kind', () => {
    const events = [event('user.created'), event('order.created'), event('user.created')];
    const webhooks = [webhook('user.created'), webhook('user.created'), webhook('user.updated')];
    const { deliveries } = fanOut(events, webhooks, lease(0), NOW);
    expect(deliveries.map((one) => [one.event, one.webhook])).toEqual([
      [events[0]?._id, webhooks[0]?._id],
      [events[0]?._id, webhooks[1]?._id],
      [events[2]?._id, webhooks[0]?._id],
      [events[2]?._id, webhooks[1]?._id],
    ]);
  });

  it('makes one delivery for a webhook of several kinds, or of all', () => {
    const events = [event('user.created'), event('order.created'), event('user.updated')];
    const [several, all] = [webhookFor('user.created', 'order.created'), webhookFor('*')];
    const { deliveries } = fanOut(events, [several, webhook('user.updated'), all], lease(0), NOW);
    expect(deliveries.map((one) => [one.event_type, one.webhook.equals(all._id)])).toEqual([
      ['user.created', false],
      ['user.created', true],
      ['order.created', false],
      ['order.created', true],
      ['user.updated', false],
      ['user.updated', true],
    ]);
  });

  it('makes them due at once, for the current endpoint', () => {
    const made = fanOut([event('user.created')], [webhook('user.created')], lease(0), NOW);
    const [first] = made.deliveries;
    expect(made.leased).toEqual([]);
    expect(first).toMatchObject({
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

  it('leases those that can be sent at once, and counts their first attempt', () => {
    const events = [event('user.created'), event('user.created'), event('user.created')];
    const made = fanOut(events, [webhook('user.created')], lease(2), NOW);
    expect(made.deliveries.map(({ generation, attempt }) => [generation, attempt])).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
    ]);
    expect(made.deliveries[0]).toMatchObject({
      claimed_by: 'me-1',
      next_attempt: LEASE_END,
      status: 'PENDING',
    });
    expect(made.leased.map(({ event: one }) => one)).toEqual(events.slice(0, 2));
    expect(made.leased[0]).toMatchObject({
      lease: { at: NOW, since: 7 },
      endpoint: 'https://example.com/user.created',
      due: { generation: 0, attempt: 0, recorded: 0, id: made.deliveries[0]?._id },
    });
  });
});
