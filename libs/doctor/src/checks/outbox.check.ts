import { Injectable } from '@nestjs/common';
import { EventStore, ExpiredEventStore, Relay } from '@commerce/events';
import type { Id } from '@commerce/records';

import type { Check } from './check.js';
import { IN_PROGRESS_MS, type Finding } from './finding.js';
import type { Walk } from './walk.js';

/** Events must get their place in the log soon, and each object's must be numbered without gaps. */
@Injectable()
export class OutboxCheck implements Check {
  constructor(
    private readonly events: EventStore,
    private readonly expired: ExpiredEventStore,
    private readonly relay: Relay,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    const { company, now } = walk;
    const events = this.events.in(company);
    const waiting = await this.waiting(company, now);
    if (waiting !== null) yield waiting;
    const isCut = (await this.expired.newestRemoved(company)) !== null;
    let object = '';
    let last = 0;
    for await (const event of walk.over(events.stream({}, { object_id: 1, position: 1, _id: 1 }))) {
      if (event.position === null) continue;
      const same = event.object_id.toHexString() === object;
      // Once the beginning of the log has been removed, an object's events begin with any number.
      const first = isCut ? event.sequence : 1;
      const expected = same ? last + 1 : first;
      if (event.sequence !== expected) {
        const detail = `${event.kind} has the sequence ${String(event.sequence)}, ${String(expected)} was next`;
        yield { kind: 'event.sequence', id: event._id.toHexString(), detail, repair: null };
      }
      object = event.object_id.toHexString();
      last = event.sequence;
    }
  }

  /** One finding for all of them, under the id of the oldest: they wait for the same reason. */
  private async waiting(company: Id, now: Date): Promise<Finding | null> {
    const events = this.events.in(company);
    const [oldest] = await events.many({ pending: true }, { sort: { _id: 1 }, limit: 1 });
    // On a test clock an event's date is the clock's; its id has the time at which it was really written.
    if (!oldest || now.getTime() - oldest._id.getTimestamp().getTime() < IN_PROGRESS_MS) return null;
    const count = await events.count({ pending: true });
    const detail = `${String(count)} events are waiting for their place in the log: is a worker running?`;
    const repair = (): Promise<unknown> => this.relay.run(company);
    return { kind: 'event.pending', id: oldest._id.toHexString(), detail, repair };
  }
}
