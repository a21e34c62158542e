import { Injectable } from '@nestjs/common';
import { SubscriptionStore, debtBreakdown, debtNumber, isLostStart } from '@commerce/billing';
import { CouponStore } from '@commerce/catalog';
import { DatabaseClock, type UnitOfWork } from '@commerce/data';
import type { Finding } from '@commerce/doctor';
import { Companies, type Mode } from '@commerce/identity';
import { isFault, toMajor, toMinor } from '@commerce/kernel';
import { OrderStore } from '@commerce/orders';
import {
  CardProviders,
  INTENT_CANCELLED,
  PaymentRestorer,
  type BookedIntent,
  type CardProvider,
  type LostOwner,
  type Standing,
  type TaggedIntent,
} from '@commerce/payments';
import { parseId, sameId, type Id } from '@commerce/records';

import { ServiceContext } from '../service-context.js';

const MODES: readonly Mode[] = ['live', 'test'];

/** The facts about its owner that a payment stores. */
interface Owner extends Omit<LostOwner, 'user'> {
  /** The coupon of a start that was lost. */
  readonly lostCoupon?: Id;
  /** Instead of `also`, where others have taken the last redemption of the coupon. */
  readonly withoutRoom?: (work: UnitOfWork) => void;
}

/**
 * Compares the provider's books with the payments: a payment must count each collected intent, and an intent that none
 * counts must be unable to take money. A restore breaks both, and the same debt would be charged again.
 */
@Injectable()
export class ProviderBooksCheck {
  private readonly companies = new Map<string, boolean>();

  constructor(private readonly service: ServiceContext) {}

  /** Reads the books of all accounts page by page, for one company or, with null, for all. */
  async *check(only: Id | null): AsyncGenerator<Finding> {
    for (const account of await this.accounts()) {
      for await (const intent of intentsOf(account)) {
        const finding = isTagged(intent) ? await this.finding(account, intent, only) : null;
        if (finding !== null) yield finding;
      }
    }
  }

  private async accounts(): Promise<Set<CardProvider>> {
    const providers = await this.service.get(CardProviders);
    return new Set(MODES.flatMap((mode) => providers.configured(mode) ?? []));
  }

  private async finding(
    account: CardProvider,
    intent: TaggedIntent,
    only: Id | null,
  ): Promise<Finding | null> {
    const company = parseId(intent.tag.company);
    if (company === null || (only !== null && !sameId(company, only))) return null;
    // Another installation may use the same account.
    if (isGone(intent) || !(await this.isOurs(company))) return null;
    const standing = await (await this.service.get(PaymentRestorer)).standing(account, intent);
    if (standing.is === 'known') return null;
    switch (intent.outcome.kind) {
      case 'succeeded':
        return this.uncounted(account, company, intent, standing);
      case 'processing':
        return found(intent, 'is processing at the provider; look again when it has ended', null);
      case 'failed':
      case 'requires_auth':
      case 'unknown':
        return openIntent(account, intent, standing);
    }
  }

  private async isOurs(company: Id): Promise<boolean> {
    const key = company.toHexString();
    const known = this.companies.get(key) ?? (await this.hasCompany(company));
    this.companies.set(key, known);
    return known;
  }

  private async hasCompany(company: Id): Promise<boolean> {
    try {
      await (await this.service.get(Companies)).get(company);
      return true;
    } catch (error) {
      if (isFault(error, 'company.not_found')) return false;
      throw error;
    }
  }

  /** Finds collected money that no payment counts. */
  private async uncounted(
    account: CardProvider,
    company: Id,
    intent: TaggedIntent,
    standing: Standing,
  ): Promise<Finding | null> {
    const isBack = await isGivenBack(account, intent);
    if (isBack && standing.is !== 'lost') return null;
    const restorer = await this.service.get(PaymentRestorer);
    const user = await restorer.payer(company, intent);
    const owner = await this.ownerOf(company, intent);
    if (user === null || owner === null) {
      const what = 'was collected, but what it was for, or its payer, is not there: refund it';
      return isBack ? null : found(intent, what, null);
    }
    const bringIn = async (): Promise<void> => {
      try {
        await restorer.bringIn(account, intent, { ...owner, user });
      } catch (error) {
        // Others have redeemed the coupon since the restore: the payment is one more than it allows.
        if (owner.withoutRoom === undefined || !isFault(error, 'coupon.used_up')) throw error;
        await restorer.bringIn(account, intent, { ...owner, user, also: owner.withoutRoom });
      }
    };
    const lost = reported(intent, standing, bringIn);
    return lost && { ...lost, detail: `${lost.detail}${await this.redeemedSince(company, owner)}` };
  }

  /** The part of a finding about a coupon whose last redemption others have taken since the restore. */
  private async redeemedSince(company: Id, { lostCoupon }: Owner): Promise<string> {
    if (lostCoupon === undefined) return '';
    const coupon = await (
      await this.service.get(CouponStore)
    )
      .in(company)
      .find(lostCoupon, { deleted: true });
    if (coupon === null || coupon.max_redemptions === null) return '';
    const { code, used_count, reservations, max_redemptions } = coupon;
    if (used_count + reservations.length < max_redemptions) return '';
    return `; others have taken the last redemption of its coupon ${code}: used_count will be above max_redemptions`;
  }

  /** The owner that the money paid for; null when it no longer exists. */
  private async ownerOf(company: Id, { owed, ...intent }: TaggedIntent): Promise<Owner | null> {
    const { amount_minor, currency } = intent;
    const options = { deleted: true };
    if (owed.subscription !== null) {
      const subscriptions = await this.service.get(SubscriptionStore);
      const found = await subscriptions.in(company).find(owed.subscription, options);
      if (found === null) return null;
      const { test_clock } = found;
      // The subscription recomputes every amount except debt when it follows the payment.
      if (debtNumber(owed) === null) {
        const coupon = parseId(owed.coupon ?? '');
        const real = (await this.service.get(DatabaseClock)).read();
        const facts = { test_clock, breakdown: null, debt_minor: 0 };
        if (coupon === null || !isLostStart(found, coupon)) return facts;
        const also = (work: UnitOfWork): void => subscriptions.reserveAgain(work, found, coupon, real);
        const withoutRoom = (work: UnitOfWork): void => subscriptions.redeemAgain(work, found, coupon);
        return { ...facts, lostCoupon: coupon, also, withoutRoom };
      }
      return { test_clock, breakdown: debtBreakdown(amount_minor, currency), debt_minor: amount_minor };
    }
    const orders = (await this.service.get(OrderStore)).in(company);
    const order = owed.order === null ? null : await orders.find(owed.order, options);
    if (order === null) return null;
    const isSame = order.currency === currency && toMinor(order.amount, order.currency) === amount_minor;
    const { test_clock } = order;
    return { test_clock, breakdown: isSame ? order.breakdown : null, debt_minor: 0 };
  }
}

/** The finding about money that no payment counts, with its repair. */
function reported(intent: TaggedIntent, standing: Standing, bringIn: () => Promise<void>): Finding | null {
  if (standing.is === 'known') return null;
  if (standing.is === 'lost') return found(intent, 'was collected at the provider', bringIn);
  const { is, payment } = standing;
  const id = payment._id.toHexString();
  switch (is) {
    case 'uncounted':
      return found(intent, `was collected at the provider, and ${id} waits for the same money`, bringIn);
    case 'paid_twice': {
      const other = String(payment.provider.intent_id);
      const what = `was collected, and so was ${other} for the same, which ${id} counts: to be given back`;
      return { ...found(intent, what, bringIn), kind: 'payment.paid_twice' };
    }
    case 'in_flight':
      return found(intent, `was collected, and ${id} is being collected for the same: look again`, null);
    case 'amount_differs':
      return found(intent, `was collected, but ${id} is of another amount: refund it`, null);
    case 'unclear':
      return found(intent, `was collected, and so may be ${id} for the same: refund one`, null);
  }
}

/** Finds an intent that no payment counts and that could still take money. */
function openIntent(account: CardProvider, intent: TaggedIntent, standing: Standing): Finding | null {
  if (standing.is === 'in_flight') return null;
  const cancel = (): Promise<unknown> => account.cancel(intent.intent_id, `lost-${intent.intent_id}`);
  return found(intent, 'could still take money at the provider; it is to be cancelled', cancel);
}

function isGone({ outcome }: BookedIntent): boolean {
  return outcome.kind === 'failed' && outcome.code === INTENT_CANCELLED;
}

async function isGivenBack(account: CardProvider, intent: BookedIntent): Promise<boolean> {
  const refunds = await account.refundsOf(intent.intent_id, intent.currency);
  const back = refunds.reduce((sum, one) => sum + (one.status === 'succeeded' ? one.amount_minor : 0), 0);
  return back >= intent.amount_minor;
}

async function* intentsOf(account: CardProvider): AsyncGenerator<BookedIntent> {
  let last: string | null = null;
  do {
    const page: readonly BookedIntent[] = await account.intentsBefore(last);
    yield* page;
    last = page.at(-1)?.intent_id ?? null;
  } while (last !== null);
}

/** Intents without a tag and an owner, from other software or old versions, are indistinguishable. */
function isTagged(intent: BookedIntent): intent is TaggedIntent {
  return intent.tag !== null && intent.owed !== null;
}

function found(
  { tag, intent_id, amount_minor, currency }: TaggedIntent,
  what: string,
  repair: Finding['repair'],
): Finding {
  const amount = `${String(toMajor(amount_minor, currency))} ${currency}`;
  return { kind: 'payment.lost', id: tag.payment, detail: `${amount} by ${intent_id} ${what}`, repair };
}
