import { Injectable } from '@nestjs/common';
import type { EventKind } from '@commerce/kernel';

import type { Id } from './id.js';

export const OUTBOX_COLLECTION = 'events';

/** One event as the unit of work commits it, together with the change that it tells of. */
export interface OutboxRow {
  readonly _id: Id;
  readonly company: Id;
  readonly kind: EventKind;
  readonly object_type: string;
  readonly object_id: Id;
  /** 1, 2, 3… for each object, without gaps. */
  readonly sequence: number;
  readonly created: Date;
  /** The delivery body as JSON text, but for the endpoint's url, which differs by receiver. */
  readonly body: string;
  /** There until the relay has given the event its place in the company's log. */
  readonly pending: true;
}

/** Tells, after a commit, that a company has events which the relay has not seen; a hint that may get lost. */
@Injectable()
export class OutboxSignal {
  private readonly listeners: ((company: Id) => void)[] = [];

  listen(listener: (company: Id) => void): void {
    this.listeners.push(listener);
  }

  raise(company: Id): void {
    for (const listener of this.listeners) listener(company);
  }
}
