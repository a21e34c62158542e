import { Injectable } from '@nestjs/common';
import { fault, fieldFault, EVENT_KINDS } from '@commerce/kernel';
import {
  FreeJson,
  JobQueue,
  parseId,
  readPage,
  type Caller,
  type Filter,
  type Id,
  type Page,
  type RawQuery,
} from '@commerce/platform';

import { redeliverJob } from '../delivery/delivery.jobs.js';
import type { DeliveryRecord } from '../delivery/delivery.record.js';
import { DeliveryStore } from '../delivery/delivery.store.js';
import { newDelivery } from '../delivery/new-delivery.js';
import { DatabaseClock } from '../delivery/database-clock.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import type { EventRecord } from './event.record.js';
import { EventStore } from './event.store.js';

type Owner = Pick<Caller, 'company'>;

/** An event as a webhook gets it, without the url; `_id` is not shown, lists page by it. */
export type EventShown = FreeJson & { readonly _id: Id };

/** A company's events in the order in which they got their places, so that a consumer can catch up. */
@Injectable()
export class EventLog {
  constructor(
    private readonly events: EventStore,
    private readonly deliveries: DeliveryStore,
    private readonly webhooks: WebhookStore,
    private readonly clock: DatabaseClock,
    private readonly jobs: JobQueue,
  ) {}

  /** The events behind `after`, the oldest first; of one kind or one object, where asked. */
  async list({ company }: Owner, raw: RawQuery): Promise<Page<EventShown>> {
    const { kind, object, ...rest } = raw;
    const query = readPage(rest, { sortable: ['created'], dates: { created: 'created' } });
    const filter: Filter = { ...matching(kind, object), ...query.filter };
    const after = query.after === null ? null : await this.placed(company, query.after);
    const skip = query.after === null ? query.page * query.size : 0;
    const [found, total] = await Promise.all([
      this.events.behind(company, after, filter, skip, query.size),
      this.events.in(company).count({ ...filter, position: { $gt: 0 } }),
    ]);
    return { records: found.map(shown), total, query };
  }

  async get({ company }: Owner, id: string): Promise<EventShown> {
    return shown(await this.events.in(company).get(id));
  }

  /**
   * Sends an event once more, to every webhook of its kind there is now: a new round of attempts where it was sent
   * before, the first round where the webhook is newer than the event. Returns the deliveries.
   */
  async replay({ company }: Owner, id: string): Promise<DeliveryRecord[]> {
    const event = await this.events.in(company).get(id);
    if (event.position === null)
      throw fault('event.state_conflict', 'The event was only simulated, or has not been sent yet');
    const now = await this.clock.now();
    const listening = (await this.webhooks.listening(company)).filter(
      ({ event_type }) => event_type === event.kind,
    );
    const sent = await this.deliveries.in(company).many({ event: event._id });
    const again: DeliveryRecord[] = [];
    for (const webhook of listening) {
      const before = sent.find((delivery) => delivery.webhook.equals(webhook._id));
      const delivery = before
        ? await this.newRound(before, webhook, now)
        : ((await this.deliveries.addMissing([newDelivery(event, webhook, now)]))[0] ?? null);
      if (delivery !== null) again.push(delivery);
    }
    const hints = again.map(({ webhook }) => ({ data: { webhook: webhook.toHexString() } }));
    if (hints.length > 0) await this.jobs.add(redeliverJob, ...hints);
    return again;
  }

  /** What is under way is sent anyway; it stays as it is. */
  private async newRound(
    before: DeliveryRecord,
    webhook: WebhookRecord,
    now: Date,
  ): Promise<DeliveryRecord | null> {
    if (before.claimed_by !== null) return before;
    return this.deliveries.change(before, {
      status: 'PENDING',
      reason: null,
      endpoint: webhook.endpoint,
      next_attempt: now,
      round_start: before.attempt,
      last_attempt: null,
      updated: now,
    });
  }

  private async placed(company: Id, id: Id): Promise<EventRecord> {
    const event = await this.events.in(company).find(id);
    if (event !== null && event.position !== null) return event;
    throw fieldFault('after', 'after is not the id of an event of this log', 'event.unknown');
  }
}

function shown(event: EventRecord): EventShown {
  return Object.assign(FreeJson.stored(event.body), { _id: event._id });
}

function matching(kind: unknown, object: unknown): Filter {
  const filter: Filter = {};
  if (kind !== undefined) {
    const known = EVENT_KINDS.find((one) => one === kind);
    if (known === undefined)
      throw fieldFault('kind', 'kind must be a kind of event, such as payment.succeeded');
    filter['kind'] = known;
  }
  if (object !== undefined) {
    const id = typeof object === 'string' ? parseId(object) : null;
    if (id === null) throw fieldFault('object', 'object must be the id of a record');
    filter['object_id'] = id;
  }
  return filter;
}
