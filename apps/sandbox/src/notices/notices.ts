import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Change } from '../ledger/journal.js';
import type { Ledger, OwedNotice } from '../ledger/ledger.js';
import { Transaction } from '../ledger/transaction.js';
import { renderEvent } from '../resources/events.js';

export interface NoticeOptions {
  readonly url: string;
  readonly secret: string;
  /** Waits in milliseconds before a notice is sent again; after the last it is abandoned. */
  readonly retryDelays: readonly number[];
  readonly now: () => number;
}

const CONCURRENT = 8;
const TIMEOUT_MS = 10_000;

/**
 * Posts signed notices of events. The ledger remembers those that are owed: after a restart each is sent again from
 * the first attempt, so that a notice may arrive twice, as the provider's do.
 */
export class Notices {
  private readonly timers = new Set<NodeJS.Timeout>();
  /** Holds back what is more than it may send concurrently. */
  private readonly agent = new Agent({
    connections: CONCURRENT,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  private closed = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly options: NoticeOptions,
  ) {
    for (const notice of ledger.owed.values()) this.later(notice, 0, 0);
  }

  /** Takes the notices of a commit. The first goes out after the answer, as the provider's come from elsewhere. */
  take(changes: readonly Change[]): void {
    for (const [table, , row] of changes) {
      const notice = table === 'owed' ? (row as OwedNotice | null) : null;
      if (notice !== null) this.later(notice, 0, notice.delay);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.agent.destroy();
  }

  private later(notice: OwedNotice, attempt: number, delay: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      // A notice that cannot be made must not stop the others.
      this.deliver(notice, attempt).catch(() => undefined);
    }, delay);
    this.timers.add(timer);
  }

  private async deliver(notice: OwedNotice, attempt: number): Promise<void> {
    const id = notice.event;
    const event = this.ledger.events.get(id);
    let arrived = true;
    if (event !== undefined) {
      const tx = new Transaction(this.ledger, { ...event, now: this.options.now() });
      const payload = JSON.stringify(renderEvent(event, tx));
      for (let copy = 0; copy < notice.copies; copy++) arrived = (await this.post(payload)) && arrived;
    }
    if (this.closed) return;
    const delay = this.options.retryDelays[attempt];
    if (arrived || delay === undefined) this.ledger.commit([['owed', id, null]]);
    else this.later(notice, attempt + 1, delay);
  }

  /** True when the receiver took it. */
  private async post(payload: string): Promise<boolean> {
    const at = Math.floor(this.options.now() / 1000);
    const signature = createHmac('sha256', this.options.secret)
      .update(`${String(at)}.${payload}`)
      .digest('hex');
    try {
      const { statusCode, body } = await request(this.options.url, {
        method: 'POST',
        dispatcher: this.agent,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'commerce-sandbox/1.0',
          'stripe-signature': `t=${String(at)},v1=${signature}`,
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
