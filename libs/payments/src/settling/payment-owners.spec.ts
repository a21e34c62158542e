import { Injectable } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { JobQueue } from '@commerce/jobs';
import { Log } from '@commerce/platform';
import { makeRecord, newId } from '@commerce/records';

import { PaymentRecord } from '../payments/payment.record.js';
import { OwnsPayments, type OwnerDecision, type PaymentOwner } from './payment-owner.js';
import { PaymentOwners } from './payment-owners.js';

const NOW = new Date('2026-01-05T10:00:00Z');
const NOTHING: OwnerDecision = { changes: [], refunds: [], followUp: null };

@Injectable()
@OwnsPayments()
class FirstOwner implements PaymentOwner {
  readonly kind = 'subscription';

  async settled(...[, , , known]: Parameters<PaymentOwner['settled']>): Promise<OwnerDecision | null> {
    return known === null ? NOTHING : null;
  }
}

@Injectable()
@OwnsPayments()
class SecondOwner extends FirstOwner {}

function payment(of: { subscription?: true; order?: true }): PaymentRecord {
  const values = {
    company: newId(),
    subscription: of.subscription ? newId() : null,
    order: of.order ? newId() : null,
  };
  return makeRecord(PaymentRecord, values, NOW);
}

async function started(...owners: (new () => PaymentOwner)[]): Promise<PaymentOwners> {
  const log = { provide: Log, useFactory: () => new Log({ logLevel: 'silent' }) };
  const providers = [PaymentOwners, JobQueue, log, ...owners];
  const app = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
  await app.init();
  return app.get(PaymentOwners);
}

const now = { business: NOW, real: NOW };

describe('owners of payments', () => {
  it('are found by their marks, each for the payments of its kind', async () => {
    const owners = await started(FirstOwner);
    const ours = payment({ subscription: true });
    expect(await owners.decide(ours, ours, now, null)).toBe(NOTHING);
    for (const other of [payment({ order: true }), payment({})]) {
      expect(await owners.decide(other, other, now, null)).toBeNull();
    }
  });

  it('are asked again without the passed record where they would do nothing', async () => {
    const owners = await started(FirstOwner);
    const ours = payment({ subscription: true });
    expect(await owners.decide(ours, ours, now, ours)).toBe(NOTHING);
  });

  it('are one for each kind, or the process does not start', async () => {
    await expect(started(FirstOwner, SecondOwner)).rejects.toThrow(
      'the payments of a subscription have two owners',
    );
  });
});
