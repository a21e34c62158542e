import { Agent, request } from 'undici';
import type { Entry } from '../ledger/entry.js';
import type { Ledger } from '../ledger/ledger.js';
import { Transaction } from '../ledger/transaction.js';
import { renderEvent } from '../resources/events.js';
import { signatureHeader } from './signature.js';

export interface NoticeOptions {
  readonly url: string;
  readonly secret: string;
  /** Waits in milliseconds before a notice is sent again; when they are used up it is given up. */
  readonly retryDelays: readonly number[];
  readonly origin: () => string;
  readonly now: () => number;
}

const AT_ONCE = 8;
const TIMEOUT_MS = 10_000;

interface Owed {
  readonly event: string;
  readonly attempt: number;
}

/**
 * Posts signed notices of events. What is owed stands in the ledger: after a restart everything that has not
 * arrived is sent again from the first attempt. A notice may therefore arrive twice, as the provider's do.
 */
export class Notices {
  private readonly waiting: Owed[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly agent = new Agent({ connections: AT_ONCE, pipelining: 1 });
  private sending = 0;
  private closed = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly options: NoticeOptions,
  ) {
    for (const event of ledger.unsentEvents()) this.waiting.push({ event, attempt: 0 });
    this.pump();
  }

  /** Takes the events of a commit. */
  take(entry: Entry): void {
    for (const { id, silent, delay } of entry.events) {
      if (silent === true) continue;
      if (delay === undefined) this.waiting.push({ event: id, attempt: 0 });
      else this.later({ event: id, attempt: 0 }, delay);
    }
    // After the answer has gone out, as the provider's notices come from elsewhere.
    if (entry.events.length > 0) setImmediate(() => this.pump());
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.agent.destroy();
  }

  private later(owed: Owed, delay: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.waiting.push(owed);
      this.pump();
    }, delay);
    this.timers.add(timer);
  }

  private pump(): void {
    while (!this.closed && this.sending < AT_ONCE) {
      const owed = this.waiting.shift();
      if (owed === undefined) return;
      this.sending += 1;
      this.deliver(owed)
        // A notice that cannot be made, such as one of a journal that is closed by now, must not stop the others.
        .catch(() => undefined)
        .finally(() => {
          this.sending -= 1;
          this.pump();
        });
    }
  }

  private async deliver({ event: id, attempt }: Owed): Promise<void> {
    const event = this.ledger.event(id);
    if (event === undefined) return;
    const lookup = new Transaction(this.ledger, {
      account: event.account,
      request: null,
      key: null,
      now: this.options.now(),
    });
    const payload = JSON.stringify(renderEvent(event, lookup, this.options.origin()));
    let arrived = true;
    for (let copy = 0; copy < (event.copies ?? 1); copy++) arrived = (await this.post(payload)) && arrived;
    if (this.closed) return;
    const delay = this.options.retryDelays[attempt];
    if (arrived || delay === undefined) this.ledger.markSent([id]);
    else this.later({ event: id, attempt: attempt + 1 }, delay);
  }

  /** True when the receiver took it. */
  private async post(payload: string): Promise<boolean> {
    const at = Math.floor(this.options.now() / 1000);
    try {
      const { statusCode, body } = await request(this.options.url, {
        method: 'POST',
        dispatcher: this.agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'commerce-sandbox/1.0',
          'stripe-signature': signatureHeader(payload, this.options.secret, at),
        },
        body: payload,
      });
      await body.dump();
      return statusCode >= 200 && statusCode < 300;
    } catch {
      // Away, or too slow: it is sent again.
      return false;
    }
  }
}
