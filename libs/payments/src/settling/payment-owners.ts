import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Instants } from '@commerce/identity';
import { JobQueue } from '@commerce/jobs';
import type { Id, OwnedRecord } from '@commerce/records';

import type { PaymentRecord } from '../payments/payment.record.js';
import { OwnsPayments, type FollowUp, type OwnerDecision, type PaymentOwner } from './payment-owner.js';
import type { OwnerKind, SuppliedOf, SuppliedPayment } from './supplied.js';

/** The owners of payments, found among the providers of this process. */
@Injectable()
export class PaymentOwners implements OnModuleInit {
  private readonly owners = new Map<OwnerKind, PaymentOwner>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly jobs: JobQueue,
  ) {}

  onModuleInit(): void {
    for (const owner of OwnsPayments.in(this.discovery)) {
      const { kind } = owner;
      if (this.owners.has(kind)) throw new Error(`the payments of a ${kind} have two owners`);
      this.owners.set(kind, owner);
    }
  }

  /** The owner's decision on a payment's new status; null where nothing follows, or the payment has no owner. */
  async decide(
    before: PaymentRecord,
    after: PaymentRecord,
    now: Instants,
    known: OwnedRecord | null,
  ): Promise<OwnerDecision | null> {
    const owner = this.ownerOf(after);
    if (owner === null) return null;
    const decision = known === null ? null : await owner.settled(before, after, now, known);
    // The commit guards written records, but nothing guards a decision to write nothing.
    return decision ?? owner.settled(before, after, now, null);
  }

  /** The owner's decision once an intent of a payment is cancelled; null where nothing follows. */
  async decideCancelled(payment: PaymentRecord): Promise<OwnerDecision | null> {
    return (await this.ownerOf(payment)?.cancelled?.(payment)) ?? null;
  }

  /** Queues the job that a decision makes due. */
  async goOn({ job, request }: FollowUp): Promise<void> {
    await this.jobs.add(job, request);
  }

  /** Reads, for many payments of a company together, what was supplied for them. */
  async supplied(company: Id, payments: readonly SuppliedPayment[]): Promise<SuppliedOf> {
    const all = new Map<PaymentOwner, SuppliedPayment[]>();
    for (const payment of payments) {
      const owner = this.ownerOf(payment);
      if (owner === null) continue;
      const own = all.get(owner);
      if (own) own.push(payment);
      else all.set(owner, [payment]);
    }
    const read = new Map<PaymentOwner | null, SuppliedOf>();
    for (const [owner, own] of all) {
      const of = await owner.supplied?.(company, own);
      if (of !== undefined) read.set(owner, of);
    }
    return (payment) => {
      const of = read.get(this.ownerOf(payment));
      if (of === undefined) throw new RangeError('nobody knows what the payment was for');
      return of(payment);
    };
  }

  /** Null for a payment that nobody owns. */
  ownerOf({ subscription, order }: Pick<PaymentRecord, 'subscription' | 'order'>): PaymentOwner | null {
    const kind = order !== null ? 'order' : subscription !== null ? 'subscription' : null;
    return kind === null ? null : (this.owners.get(kind) ?? null);
  }
}
