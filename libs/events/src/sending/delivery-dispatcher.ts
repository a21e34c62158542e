import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Log } from '@commerce/platform';
import { type Id } from '@commerce/records';
import { LRUCache } from 'lru-cache';

import type { LeaseOnCreation, LeasedDelivery } from '../delivery/leased-delivery.js';
import { DeliveryStore } from '../delivery/delivery.store.js';
import type { DueDelivery } from '../delivery/due-delivery.js';
import { LeasedDeliveryReader } from './leased-delivery-reader.js';
import { Condition } from './condition.js';
import { DeliverySender } from './delivery-sender.js';
import type { EndpointQueue } from './queues/endpoint-queue.js';
import { EndpointQueues } from './queues/endpoint-queues.js';
import { TenantQueue, type Capacity } from './queues/tenant-queue.js';
import { OutcomeWriter } from './outcome-writer.js';

/** Deliveries that this worker has leased at most at any time, and leases in one go. */
const MAX_LEASED = 2000;
const LEASE_BATCH = 500;
/** Outcomes that may wait to be written before leasing stops. */
const MAX_UNWRITTEN = 5000;
/** Due deliveries that may wait to be leased. */
const LIMITS = { perWebhook: 2000, perCompany: 10_000, total: 50_000 };
const QUANTUM = 16;
/** Leases are remembered for longer than a sweep reads, and more of them than are made meanwhile. */
const REMEMBERED = { max: 10_000, ttl: 30_000 };
/** After a lease that failed. */
const RETRY_MS = 500;
/** For how long a shutdown waits for calls that are running. */
const DRAIN_MS = 11_000;

/** The numbers of due deliveries that were taken and refused; the others were waiting or leased already. */
interface Offered {
  readonly taken: number;
  /** There was no room for these, or their endpoint is left alone for now. */
  readonly refused: number;
}

/**
 * Sends due deliveries. The sweep offers them; they are leased in bulk, a few at a time for each endpoint, sent, and
 * their outcomes are written in bulk. Nothing is kept here alone: a delivery that is refused, or lost with the process,
 * is still due in the database.
 */
@Injectable()
export class DeliveryDispatcher implements BeforeApplicationShutdown {
  private readonly queue = new TenantQueue<DueDelivery>(LIMITS, QUANTUM);
  private readonly endpoints = new EndpointQueues();
  /**
   * The generation in which a delivery was last leased, from the moment at which that began. What a sweep read before
   * is outdated: it would cost a lease that finds nothing.
   */
  private readonly lastLeased = new LRUCache<string, number>(REMEMBERED);
  /** Whenever one of the numbers below, or that of waiting deliveries, goes down. */
  private readonly progress = new Condition();
  /** Leased deliveries that are not sent yet. */
  private leased = 0;
  private isLeasing = false;
  private stopped = false;

  constructor(
    private readonly store: DeliveryStore,
    private readonly reader: LeasedDeliveryReader,
    private readonly sender: DeliverySender,
    private readonly outcomes: OutcomeWriter,
    private readonly log: Log,
  ) {
    sender.whenDone((queue, count) => {
      this.leased -= count;
      this.progress.changed();
      if (this.queue.size > 0 && queue.runsLow(performance.now())) this.startLeasing();
    });
  }

  /** Decides which deliveries are created as leased by this worker; they are then handed to `takeLeased`. */
  leaseOnCreation(now: Date): LeaseOnCreation {
    const left = new Map<string, number>();
    let free = this.stopped ? 0 : MAX_LEASED - this.leased;
    return {
      ...this.store.newLease(now),
      take: (company, endpoint) => {
        const room = left.get(endpoint) ?? this.endpoints.room(endpoint, performance.now());
        if (room <= 0 || free <= 0 || this.sender.isFull(company)) return false;
        left.set(endpoint, room - 1);
        free -= 1;
        return true;
      },
    };
  }

  /** Sends deliveries that are leased already. */
  takeLeased(leased: readonly LeasedDelivery[]): void {
    const queues = new Set<EndpointQueue>();
    for (const one of leased) {
      const queue = this.enqueue(one);
      if (queue !== null) queues.add(queue);
    }
    for (const queue of queues) this.sender.start(queue);
  }

  /** Takes as many due deliveries as there is room for. */
  offer(due: readonly DueDelivery[]): Offered {
    if (this.stopped) return { taken: 0, refused: due.length };
    const now = performance.now();
    const waiting = this.queue.size;
    let refused = 0;
    for (const one of due) {
      if (this.lastLeased.get(one.key) === one.generation) continue;
      if (this.endpoints.waitMs(one.webhookKey, now) > 0 || !this.queue.add(one)) refused += 1;
    }
    const taken = this.queue.size - waiting;
    this.startLeasing();
    return { taken, refused };
  }

  /** How many more due deliveries of a webhook would be taken. */
  roomFor(webhook: Id): number {
    const key = webhook.toHexString();
    if (this.stopped || this.queue.isFull) return 0;
    if (this.endpoints.waitMs(key, performance.now()) > 0) return 0;
    return LIMITS.perWebhook - this.queue.waitingFor(key);
  }

  /** Resolves when most of what is leased has been sent, at the latest after `ms`. */
  async leasedSent(ms: number): Promise<void> {
    await this.progress.until(() => this.stopped || this.leased <= MAX_LEASED / 4, ms);
  }

  /** Resolves when few due deliveries are waiting, at the latest after `ms`. */
  async waitingLow(ms: number): Promise<void> {
    await this.progress.until(() => this.stopped || this.queue.size <= LEASE_BATCH, ms);
  }

  /** Leases nothing more, releases what has not been sent, and waits for the calls that are running. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.progress.changed();
    const end = performance.now() + DRAIN_MS;
    await this.progress.until(() => !this.isLeasing, DRAIN_MS);
    for (const queue of this.endpoints.all()) this.sender.releaseAll(queue, 0);
    await this.progress.until(() => this.sender.isIdle, end - performance.now());
    await this.outcomes.flushed(Math.max(1000, end - performance.now()));
  }

  private startLeasing(): void {
    if (this.isLeasing || this.stopped) return;
    this.isLeasing = true;
    this.leaseAll().catch((error: unknown) => {
      this.isLeasing = false;
      this.progress.changed();
      this.log.error({ error }, 'Leasing deliveries ended in an unforeseen error; the sweep begins it anew');
    });
  }

  private async leaseAll(): Promise<void> {
    for (let due = this.nextBatch(); due.length > 0; due = this.nextBatch()) {
      this.progress.changed();
      try {
        for (const { key, generation } of due) this.lastLeased.set(key, generation);
        // Nearly all of them will be leased, so what belongs to them is read meanwhile.
        const loading = this.reader.load(due);
        loading.catch(() => undefined);
        const { lease, leased } = await this.store.lease(due);
        // Others may be due in a moment only, by this process's clock, and are still what they were.
        if (leased.length < due.length) this.forget(due, new Set(leased));
        if (leased.length > 0) this.takeLeased(await this.reader.admitted(leased, lease, loading));
      } catch (error) {
        this.forget(due);
        this.log.warn({ error, deliveries: due.length }, 'Deliveries could not be leased');
        await pause(RETRY_MS);
      }
    }
    // Nothing is awaited since the last look into the queue, so no delivery can have been added unseen.
    this.isLeasing = false;
    this.progress.changed();
  }

  private forget(due: readonly DueDelivery[], except: ReadonlySet<DueDelivery> = new Set()): void {
    for (const one of due) if (!except.has(one)) this.lastLeased.delete(one.key);
  }

  private nextBatch(): DueDelivery[] {
    if (this.stopped || this.outcomes.backlog > MAX_UNWRITTEN) return [];
    const free = Math.min(LEASE_BATCH, MAX_LEASED - this.leased);
    const now = performance.now();
    // Where one endpoint runs low all are filled up: a lease of many costs little more than one of few.
    if (free <= 0 || !this.queue.some((due) => this.runsLow(due, now))) return [];
    return this.queue.take(free, (due) => this.capacityFor(due, now));
  }

  private runsLow(due: DueDelivery, now: number): boolean {
    return this.endpoints.runsLow(this.endpointOf(due), now) && !this.sender.isFull(due.company);
  }

  private capacityFor(due: DueDelivery, now: number): Capacity {
    const endpoint = this.endpointOf(due);
    return { endpoint, free: this.sender.isFull(due.company) ? 0 : this.endpoints.room(endpoint, now) };
  }

  /** That of a webhook to which nothing was sent yet becomes known with the lease. */
  private endpointOf({ webhookKey }: DueDelivery): string {
    return this.endpoints.forWebhook(webhookKey)?.url ?? webhookKey;
  }

  /** Puts a leased delivery into the queue of its endpoint; null if it is released instead. */
  private enqueue(leased: LeasedDelivery): EndpointQueue | null {
    const queue = this.endpoints.forDelivery(leased);
    const wait = queue.breaker.waitMs(performance.now());
    if (wait > 0 || this.stopped) {
      this.sender.release(leased.due, wait);
      return null;
    }
    queue.add([leased]);
    this.leased += 1;
    return queue;
  }
}
