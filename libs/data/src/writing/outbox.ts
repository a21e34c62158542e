import { Injectable } from '@nestjs/common';
import type { EventKind, PlainObject } from '@commerce/kernel';

import { sealField } from '@commerce/platform';
import { newId, pack, type Id } from '@commerce/records';

export const OUTBOX_COLLECTION = 'events';

/** One event as the unit of work commits it, together with the change that it reports. */
export interface OutboxRow {
  readonly _id: Id;
  readonly company: Id;
  readonly kind: EventKind;
  readonly object_type: string;
  readonly object_id: Id;
  /** 1, 2, 3… for each object, without gaps. */
  readonly sequence: number;
  readonly created: Date;
  /**
   * The delivery body as JSON text, but for the endpoint's url, which differs by receiver; sealed if it is secret,
   * otherwise packed.
   */
  readonly body: unknown;
  /** Present until the relay has given the event its place in the company's log. */
  readonly pending: true;
}

/** The content of an event for its consumers, rendered by `render`. */
export interface EventContent {
  readonly company: Id;
  readonly kind: EventKind;
  readonly object_type: string;
  readonly object_id: Id;
  readonly object: PlainObject;
  /** The values before, of the fields that changed. */
  readonly previous_data: PlainObject;
  readonly created: Date;
  readonly sequence: number;
  /** Whether it shows secrets, so that its text is sealed in the database. */
  readonly secret?: boolean;
}

/** The row of a new event. Its body is the one envelope in which every event is delivered, logged and replayed. */
export function outboxRow(content: EventContent): OutboxRow {
  const { company, kind, object_type, object_id, object, previous_data, created, sequence } = content;
  const _id = newId();
  const text = JSON.stringify({
    id: _id.toHexString(),
    object_type,
    previous_data,
    kind,
    object,
    created: created.getTime(),
    sequence,
  });
  const body =
    content.secret === true ? sealField(text, [OUTBOX_COLLECTION, _id.toHexString(), 'body']) : pack(text);
  return { _id, company, kind, object_type, object_id, sequence, created, body, pending: true };
}

type Flush = (company: Id) => Promise<void>;

/** Signals, after a commit, that a company has events for the relay. A signal may get lost: the relay also looks. */
@Injectable()
export class OutboxSignal {
  private readonly listeners: ((company: Id) => void)[] = [];
  private relay: Flush | null = null;

  listen(listener: (company: Id) => void): void {
    this.listeners.push(listener);
  }

  notify(company: Id): void {
    for (const listener of this.listeners) listener(company);
  }

  /** Registers the relay, in processes that have one. */
  relayBy(flush: Flush): void {
    this.relay = flush;
  }

  /** Resolves when all events that the company has committed so far are in its log. */
  async flush(company: Id): Promise<void> {
    if (this.relay === null) throw new Error('this process has no relay');
    await this.relay(company);
  }
}
