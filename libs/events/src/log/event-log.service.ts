import { Injectable } from '@nestjs/common';
import { fault, fieldFault } from '@commerce/kernel';
import { type Caller, type Page } from '@commerce/data';
import { FreeJson, pageOf, type Filter, type Id } from '@commerce/records';

import type { EventRecord } from './event.record.js';
import { EventStore } from './event.store.js';
import type { ListEventsQuery } from './events.dto.js';
import { ExpiredEventStore } from './expired-event.store.js';

/** An event as webhooks receive it, but without the url. `_id` does not show; lists page by it. */
export type EventShown = FreeJson & { readonly _id: Id };

/** A company's events in the order of the log, for consumers that have to catch up. */
@Injectable()
export class EventLog {
  constructor(
    private readonly events: EventStore,
    private readonly expired: ExpiredEventStore,
  ) {}

  /** The events that follow `after`, the oldest first. */
  async list({ company }: Caller, query: ListEventsQuery): Promise<Page<EventShown>> {
    const page = pageOf({ ...query, sort: 'position', total: false }, filterOf(query));
    const { filter, size } = page;
    if (query.newest) {
      if (page.after !== null || page.page > 0)
        throw fieldFault('newest', 'newest goes with neither after nor page', 'value.invalid');
      const records = (await this.events.newest(company, filter, size)).map(shown);
      return { records, query: page, hasMore: false, total: null };
    }
    const last = page.after === null ? null : await this.placed(company, page.after);
    const skip = last === null ? page.page * size : 0;
    const found = await this.events.following(company, last, filter, skip, size + 1);
    return {
      records: found.slice(0, size).map(shown),
      query: page,
      hasMore: found.length > size,
      total: null,
    };
  }

  async get(caller: Caller, id: string): Promise<EventShown> {
    return shown(await this.events.for(caller).show(id));
  }

  private async placed(company: Id, id: Id): Promise<EventRecord> {
    const event = await this.events.in(company).find(id);
    if (event !== null && event.position !== null) return event;
    const removed = await this.expired.newestRemoved(company);
    if (event === null && removed !== null && id.toHexString() <= removed.toHexString()) {
      const [oldest] = await this.events.following(company, null, {}, 0, 1);
      const message = 'The event named by after is no longer kept, and what followed it may be gone as well';
      throw fault('event.expired', message, { oldest: oldest?._id.toHexString() ?? null });
    }
    throw fieldFault('after', 'after is not the id of an event in this log', 'event.unknown');
  }
}

function filterOf({ kind, object }: ListEventsQuery): Filter {
  return {
    ...(kind === null ? {} : { kind }),
    ...(object === null ? {} : { object_id: object }),
  };
}

function shown(event: EventRecord): EventShown {
  return Object.assign(FreeJson.stored(event.body), { _id: event._id });
}
