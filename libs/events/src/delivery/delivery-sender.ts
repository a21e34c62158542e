import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Log, type Config, type SendResult } from '@commerce/platform';

import type { EventBody } from '../log/event.store.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { OPEN_MS } from './breaker.js';
import { WebhookClient } from '../webhooks/webhook-client.js';
import type { EndpointLane } from './endpoint-lane.js';
import { deliveryBody } from '../webhooks/message.js';
import { judge } from './next-attempt.js';
import { OutcomeWriter } from './outcome-writer.js';
import { DatabaseClock } from './database-clock.js';
import { WebhookCache, refusal, type CachedWebhook } from './webhook-cache.js';
import { attemptsLeft, numberInRound, type DueDelivery } from './due-delivery.js';

/** Calls that this worker makes at once, in all and for one company. */
const IN_FLIGHT = 256;
const PER_COMPANY = 64;
/** A webhook is read again before an attempt, unless it was read this short a time ago. */
const FRESH_MS = 50;
/** When a webhook cannot be read, its delivery waits this long. */
const UNREAD_MS = 1000;

/** A delivery that this worker has claimed. */
export interface Claimed {
  readonly ticket: DueDelivery;
  readonly event: EventBody;
  /** Where it goes; still checked against the webhook before it is sent. */
  readonly endpoint: string;
  /** The claim, by the database's clock. */
  readonly at: Date;
  /** The same by a clock that only goes forward, for the lease. */
  readonly since: number;
}

export type Lane = EndpointLane<Claimed>;

/** Sends claimed deliveries, within the bounds for endpoints, companies and the whole worker. */
@Injectable()
export class DeliverySender {
  private inFlight = 0;
  private readonly byCompany = new Map<string, number>();
  /** Endpoints that could send if there were a place. */
  private readonly blocked = new Set<Lane>();
  private onDone: (lane: Lane, count: number) => void = () => undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks' | 'leaseMs'>,
    private readonly courier: WebhookClient,
    private readonly targets: WebhookCache,
    private readonly outcomes: OutcomeWriter,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  get busy(): number {
    return this.inFlight;
  }

  /** Is told how many deliveries of an endpoint were sent or given back. */
  whenDone(listener: (lane: Lane, count: number) => void): void {
    this.onDone = listener;
  }

  /** No call may be added for this company now. */
  isFull(company: string): boolean {
    return this.inFlight >= IN_FLIGHT || (this.byCompany.get(company) ?? 0) >= PER_COMPANY;
  }

  /** Starts as many calls to an endpoint as may run. */
  start(lane: Lane): void {
    for (;;) {
      const waiting = lane.peek();
      if (waiting === null) return;
      if (this.isFull(waiting.ticket.company)) {
        this.blocked.add(lane);
        return;
      }
      const claimed = lane.next(performance.now());
      if (claimed === null) return;
      this.count(claimed.ticket.company, 1);
      void this.run(lane, claimed);
    }
  }

  /** Gives back all of an endpoint's that was not sent; it is due again after `waitMs`. */
  giveBack(lane: Lane, waitMs: number): void {
    const left = lane.takeBack();
    for (const { ticket } of left) this.release(ticket, waitMs);
    if (left.length > 0) this.onDone(lane, left.length);
  }

  /** Gives back a delivery that was not sent; it is due again after `waitMs`, spread a little. */
  release(ticket: DueDelivery, waitMs: number): void {
    const wait = waitMs * (1 + 0.2 * Math.random());
    this.outcomes.add({ kind: 'released', ticket, due: new Date(this.clock.read().getTime() + wait) });
  }

  private async run(lane: Lane, claimed: Claimed): Promise<void> {
    const { ticket } = claimed;
    const target = await this.target(ticket);
    if (target === null) {
      lane.skipped();
      this.release(ticket, UNREAD_MS);
    } else if (performance.now() - claimed.since > this.config.leaseMs / 2) {
      // Too late to end within the lease: somebody else may claim it at any moment.
      lane.skipped();
      this.release(ticket, 0);
    } else {
      const refused = refusal(target, ticket.endpointHash);
      if (refused !== null || target.webhook === null) {
        lane.skipped();
        this.outcomes.add({ kind: 'dropped', ticket, reason: refused ?? 'webhook_deleted' });
      } else {
        this.conclude(lane, claimed, await this.call(target.webhook, claimed));
      }
    }
    this.count(ticket.company, -1);
    this.onDone(lane, 1);
    this.start(lane);
    this.startBlocked();
  }

  /** The webhook as it is now; null when the database does not answer. */
  private async target({ lane, webhook }: DueDelivery): Promise<CachedWebhook | null> {
    const fresh = this.targets.peek(lane, FRESH_MS);
    if (fresh) return fresh;
    try {
      await this.targets.refresh(new Map([[lane, webhook]]), FRESH_MS);
      return this.targets.peek(lane, Infinity) ?? null;
    } catch (error) {
      this.log.warn({ error }, 'A webhook could not be read');
      return null;
    }
  }

  private async call(webhook: WebhookRecord, { ticket, event }: Claimed): Promise<SendResult> {
    try {
      const message = {
        type: 'WebhookMessage',
        id: ticket.event.toHexString(),
        body: deliveryBody(event.body, webhook.endpoint),
        retries: numberInRound(ticket) - 1,
      } as const;
      return await this.courier.send(webhook, message, this.clock.read());
    } catch (error) {
      // A secret that does not open, for one. It counts as an attempt, or it would be tried without end.
      this.log.error({ error, webhook: ticket.lane }, 'A delivery could not be made');
      return { kind: 'failed', reason: 'internal', detail: 'the service could not send it', durationMs: 0 };
    }
  }

  private conclude(lane: Lane, { ticket, at }: Claimed, result: SendResult): void {
    const { retryDelaysMs } = this.config.webhooks;
    const rules = { delaysMs: retryDelaysMs, random: Math.random };
    const made = { number: numberInRound(ticket), isLast: attemptsLeft(ticket, retryDelaysMs.length) <= 1 };
    const verdict = judge(result, made, rules, this.clock.read());
    this.outcomes.add({ kind: 'attempted', ticket, at, result, verdict });
    const opened = lane.ended(verdict.kind === 'succeeded', result.durationMs, performance.now());
    if (opened) this.giveBack(lane, OPEN_MS);
  }

  private startBlocked(): void {
    // A copy: a lane that is still blocked goes back into the set, and would come up here for ever.
    for (const lane of [...this.blocked]) {
      if (this.inFlight >= IN_FLIGHT) return;
      this.blocked.delete(lane);
      this.start(lane);
    }
  }

  private count(company: string, by: 1 | -1): void {
    this.inFlight += by;
    const count = (this.byCompany.get(company) ?? 0) + by;
    if (count === 0) this.byCompany.delete(company);
    else this.byCompany.set(company, count);
  }
}
