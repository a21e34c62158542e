import { randomBytes } from 'node:crypto';

import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { CONFIG, Handles, Log, type Config, type Id } from '@commerce/platform';

import { EventStore, type EventBody } from '../log/event.store.js';
import { deliverJob, dueDeliveriesIn, type DeliverJob } from './delivery.jobs.js';
import type { ClaimsAhead } from './claims-ahead.js';
import { DeliveryStore } from './delivery.store.js';
import { EndpointLane, PER_ENDPOINT } from './endpoint-lane.js';
import { FairQueue, type Place } from './fair-queue.js';
import { OutcomeWriter } from './outcome-writer.js';
import { DeliverySender, type Claimed, type Lane } from './delivery-sender.js';
import { DatabaseClock } from './database-clock.js';
import { WebhookCache, refusal } from './webhook-cache.js';
import { attemptsLeft, type DueDelivery } from './due-delivery.js';

/** Deliveries that this worker holds claimed at once, and claims in one turn. */
const HELD = 2000;
const PER_TURN = 500;
/** Outcomes that may wait to be written before claiming stops. */
const MAX_UNWRITTEN = 5000;
const PER_LANE = 500;
/** For how long the end of the process waits for calls that run. */
const DRAIN_MS = 11_000;

/**
 * Delivers what is due. Hints come in from jobs and from the sweep; they are claimed in bulk, a few at a time for
 * each endpoint, sent, and their outcomes written in bulk. Nothing here is the truth: what is forgotten, refused or
 * lost with the process is still due in the database.
 */
@Injectable()
export class DeliveryDispatcher implements BeforeApplicationShutdown {
  private readonly queue = new FairQueue<DueDelivery>(
    { perLane: PER_LANE, perCompany: 10_000, total: 50_000 },
    16,
  );
  private readonly lanes = new Map<string, Lane>();
  /** Where webhooks lead, as last read. */
  private readonly laneOf = new Map<string, Lane>();
  private readonly name = randomBytes(6).toString('hex');
  private held = 0;
  private turns = 0;
  private turning = false;
  private stopped = false;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks' | 'leaseMs'>,
    private readonly store: DeliveryStore,
    private readonly events: EventStore,
    private readonly targets: WebhookCache,
    private readonly sender: DeliverySender,
    private readonly outcomes: OutcomeWriter,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {
    sender.whenDone((lane, count) => {
      this.held -= count;
      if (this.queue.size > 0 && lane.room(performance.now()) > 0) this.wake();
    });
  }

  /** Says, while deliveries are being made, which of them may be claimed with that; see `takeClaimed`. */
  claims(now: Date): ClaimsAhead {
    const left = new Map<string, number>();
    let free = this.stopped ? 0 : HELD - this.held;
    this.turns += 1;
    return {
      claim: this.claimName(),
      leaseEnd: new Date(now.getTime() + this.config.leaseMs),
      since: performance.now(),
      take: (company, endpoint) => {
        const room = left.get(endpoint) ?? this.lanes.get(endpoint)?.room(performance.now()) ?? PER_ENDPOINT;
        if (room <= 0 || free <= 0 || this.sender.isFull(company)) return false;
        left.set(endpoint, room - 1);
        free -= 1;
        return true;
      },
    };
  }

  /** Sends deliveries that were made as claimed. */
  takeClaimed(claimed: readonly Claimed[]): void {
    const touched = new Set<Lane>();
    for (const one of claimed) {
      const lane = this.send(one);
      if (lane !== null) touched.add(lane);
    }
    for (const lane of touched) this.sender.start(lane);
  }

  /** Resolves when much of what is claimed has been sent, at the latest after `ms`. */
  async roomSoon(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (this.held > HELD / 4 && !this.stopped && performance.now() < end) await pause(1);
  }

  /** Takes new deliveries; what it has no room for stays due and is found by the sweep. */
  @Handles(deliverJob)
  async deliver(job: DeliverJob): Promise<void> {
    this.offer(dueDeliveriesIn(job));
  }

  /** Takes hints of due deliveries, as many as there is room for. Returns how many that were. */
  offer(tickets: readonly DueDelivery[]): number {
    if (this.stopped) return 0;
    const now = performance.now();
    let taken = 0;
    for (const ticket of tickets) {
      if ((this.laneOf.get(ticket.lane)?.breaker.waitMs(now) ?? 0) > 0) continue;
      if (this.queue.add(ticket)) taken += 1;
    }
    this.wake();
    return taken;
  }

  /** How many more hints of a webhook's deliveries would be taken. */
  roomFor(webhook: Id): number {
    const key = webhook.toHexString();
    if (this.stopped || this.queue.isFull) return 0;
    if ((this.laneOf.get(key)?.breaker.waitMs(performance.now()) ?? 0) > 0) return 0;
    return PER_LANE - this.queue.waitingIn(key);
  }

  /** Resolves when few hints are left, at the latest after `ms`. */
  async low(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (this.queue.size > PER_TURN && !this.stopped && performance.now() < end) await pause(10);
  }

  /** Resolves when everything taken is sent and written down. */
  async idle(): Promise<void> {
    while (this.queue.size > 0 || this.held > 0 || this.turning) await pause(2);
    await this.outcomes.flushed();
  }

  /** Claims nothing more, gives back what was not sent, and waits for the calls that run. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    const end = performance.now() + DRAIN_MS;
    while (this.turning && performance.now() < end) await pause(5);
    for (const lane of this.lanes.values()) this.sender.giveBack(lane, 0);
    while (this.sender.busy > 0 && performance.now() < end) await pause(5);
    await this.outcomes.flushed(Math.max(1000, end - performance.now()));
  }

  private wake(): void {
    if (this.turning || this.stopped) return;
    this.turning = true;
    void this.loop();
  }

  private async loop(): Promise<void> {
    for (;;) {
      const free = this.outcomes.backlog > MAX_UNWRITTEN ? 0 : Math.min(PER_TURN, HELD - this.held);
      const tickets = this.stopped || free <= 0 ? [] : this.queue.take(free, (ticket) => this.place(ticket));
      if (tickets.length === 0) {
        // In the same tick as the look into the queue, so that no hint falls in between.
        this.turning = false;
        return;
      }
      try {
        await this.turn(tickets);
      } catch (error) {
        this.log.warn({ error, deliveries: tickets.length }, 'Deliveries could not be claimed');
        await pause(500);
      }
    }
  }

  private place(ticket: DueDelivery): Place {
    const lane = this.laneOf.get(ticket.lane);
    if (this.sender.isFull(ticket.company)) return { name: lane?.url ?? ticket.lane, free: 0 };
    // An endpoint not known yet gets as many as may be sent to it at once.
    if (lane === undefined) return { name: ticket.lane, free: PER_ENDPOINT };
    return { name: lane.url, free: lane.room(performance.now()) };
  }

  private async turn(tickets: readonly DueDelivery[]): Promise<void> {
    const at = await this.clock.now();
    const since = performance.now();
    const leaseEnd = new Date(at.getTime() + this.config.leaseMs);
    this.turns += 1;
    const mine = await this.store.claim(tickets, this.claimName(), at, leaseEnd);
    if (mine.length === 0) return;
    const webhooks = new Map(mine.map((ticket) => [ticket.lane, ticket.webhook]));
    const events = new Map(mine.map((ticket) => [ticket.event.toHexString(), ticket.event]));
    try {
      const [bodies] = await Promise.all([
        this.events.bodies([...events.values()]),
        this.targets.refresh(webhooks, 0),
      ]);
      const touched = new Set<Lane>();
      for (const ticket of mine) {
        const event = bodies.get(ticket.event.toHexString()) ?? null;
        const lane = this.admit(ticket, event, at, since);
        if (lane !== null) touched.add(lane);
      }
      for (const lane of touched) this.sender.start(lane);
    } catch (error) {
      for (const ticket of mine) this.outcomes.add({ kind: 'released', ticket, due: at });
      throw error;
    }
  }

  /** Puts a claimed delivery on its way; null when it ends or waits instead. */
  private admit(ticket: DueDelivery, event: EventBody | null, at: Date, since: number): Lane | null {
    const target = this.targets.peek(ticket.lane, Infinity);
    const refused = target === undefined ? 'webhook_deleted' : refusal(target, ticket.endpointHash);
    const webhook = target?.webhook ?? null;
    if (refused !== null || webhook === null) {
      this.outcomes.add({ kind: 'dropped', ticket, reason: refused ?? 'webhook_deleted' });
      return null;
    }
    // An event of another company can only be named by a job that was tampered with.
    if (event === null || !event.company.equals(webhook.company)) {
      this.outcomes.add({ kind: 'dropped', ticket, reason: 'event_unknown' });
      return null;
    }
    if (attemptsLeft(ticket, this.config.webhooks.retryDelaysMs.length) <= 0) {
      this.outcomes.add({ kind: 'used_up', ticket, at });
      return null;
    }
    return this.send({ ticket, event, at, since, endpoint: webhook.endpoint });
  }

  /** Lets a delivery wait for its turn at its endpoint; null when that is left alone now. */
  private send(claimed: Claimed): Lane | null {
    const lane = this.laneAt(claimed.endpoint);
    this.laneOf.set(claimed.ticket.lane, lane);
    const wait = lane.breaker.waitMs(performance.now());
    if (wait > 0 || this.stopped) {
      this.sender.release(claimed.ticket, wait);
      return null;
    }
    lane.add([claimed]);
    this.held += 1;
    return lane;
  }

  private claimName(): string {
    return `${this.name}-${String(this.turns)}`;
  }

  private laneAt(url: string): Lane {
    const found = this.lanes.get(url);
    if (found) return found;
    this.forgetIdle();
    const made: Lane = new EndpointLane<Claimed>(url);
    this.lanes.set(url, made);
    return made;
  }

  /** Keeps the number of endpoints remembered from growing with all that were ever called. */
  private forgetIdle(): void {
    if (this.lanes.size < 5000) return;
    for (const [url, lane] of this.lanes) if (lane.isIdle) this.lanes.delete(url);
    for (const [webhook, lane] of this.laneOf) if (!this.lanes.has(lane.url)) this.laneOf.delete(webhook);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
