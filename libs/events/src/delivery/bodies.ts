import { Injectable } from '@nestjs/common';
import type { Id } from '@commerce/platform';

import { EventStore, type EventBody } from '../log/event.store.js';

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The texts of events. They never change, so those that passed through this process lately need not be read
 * again: the relay has them in hand a moment before they are sent.
 */
@Injectable()
export class EventBodies {
  private readonly kept = new Map<string, EventBody>();
  private bytes = 0;

  constructor(private readonly store: EventStore) {}

  keep(id: string, body: EventBody): void {
    if (this.kept.has(id)) return;
    this.kept.set(id, body);
    // Strings take one byte a character, two where one of them is beyond Latin-1.
    this.bytes += body.body.length;
    for (const [oldest, { body: text }] of this.kept) {
      if (this.bytes <= MAX_BYTES) break;
      this.kept.delete(oldest);
      this.bytes -= text.length;
    }
  }

  async of(ids: ReadonlyMap<string, Id>): Promise<Map<string, EventBody>> {
    const found = new Map<string, EventBody>();
    const missing: Id[] = [];
    for (const [key, id] of ids) {
      const kept = this.kept.get(key);
      if (kept) found.set(key, kept);
      else missing.push(id);
    }
    if (missing.length > 0) for (const [key, body] of await this.store.bodies(missing)) found.set(key, body);
    return found;
  }
}
