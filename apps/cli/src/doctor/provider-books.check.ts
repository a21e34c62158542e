import { Injectable } from '@nestjs/common';
import { SubscriptionStore } from '@commerce/billing';
import type { Finding } from '@commerce/doctor';
import { Companies, type Mode } from '@commerce/identity';
import { isFault, toMajor, toMinor } from '@commerce/kernel';
import { OrderStore } from '@commerce/orders';
import {
  CardProviders,
  INTENT_CANCELLED,
  PaymentRestorer,
  PaymentStore,
  type BookedIntent,
  type CardProvider,
  type TaggedIntent,
} from '@commerce/payments';
import { parseId, sameId, type Id } from '@commerce/platform';

import { ServiceContext } from '../service-context.js';

const MODES: readonly Mode[] = ['live', 'test'];

/** What money was for, and how the amount comes about, as far as that is known. */
interface Owner {
  readonly breakdown: object | null;
}

/**
 * Each intent in the provider's books that was made for a payment of ours must have that payment. Where the database
 * was restored from a backup some have not: what they would pay for would be charged again.
 */
@Injectable()
export class ProviderBooksCheck {
  constructor(private readonly service: ServiceContext) {}

  /** Goes through the books of all accounts, a page at a time; null: for all companies. */
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
    const payments = (await this.service.get(PaymentStore)).in(company);
    if ((await payments.find(intent.tag.payment)) !== null) return null;
    // Another installation may use the same account.
    if (!(await this.isOurs(company))) return null;
    switch (intent.outcome.kind) {
      case 'succeeded':
        return this.lost(account, company, intent);
      case 'processing':
        return found(intent, 'is processing at the provider; look again when it has ended', null);
      case 'failed':
        if (intent.outcome.code === INTENT_CANCELLED) return null;
        break;
      case 'requires_auth':
      case 'unknown':
        break;
    }
    const cancel = (): Promise<unknown> => account.cancel(intent.intent_id, `lost-${intent.intent_id}`);
    return found(intent, 'could still take money at the provider; it is to be cancelled', cancel);
  }

  private async isOurs(company: Id): Promise<boolean> {
    try {
      await (await this.service.get(Companies)).get(company);
      return true;
    } catch (error) {
      if (isFault(error, 'company.not_found')) return false;
      throw error;
    }
  }

  private async lost(account: CardProvider, company: Id, intent: TaggedIntent): Promise<Finding | null> {
    const { intent_id, currency, amount_minor } = intent;
    const refunds = await account.refundsOf(intent_id, currency);
    const back = refunds.reduce((sum, one) => sum + (one.status === 'succeeded' ? one.amount_minor : 0), 0);
    if (back >= amount_minor) return null;
    const restorer = await this.service.get(PaymentRestorer);
    const payer = await restorer.payer(company, intent);
    const owner = await this.ownerOf(company, intent);
    if (payer === null || owner === null)
      return found(intent, 'was collected, but what it was for, or its payer, is not there: refund it', null);
    const { subscription, order, kind, slice } = intent.owed;
    const other = await (
      await this.service.get(PaymentStore)
    )
      .in(company)
      .one({ subscription: idOrNull(subscription), order: idOrNull(order), kind, slice });
    if (other !== null)
      return found(
        intent,
        `was collected, and so may be ${other._id.toHexString()} for the same: refund one`,
        null,
      );
    return found(intent, 'was collected at the provider', () =>
      restorer.restore(intent, payer, owner.breakdown),
    );
  }

  /** What the money was for; null where that is not there any more. */
  private async ownerOf(company: Id, { owed, ...intent }: TaggedIntent): Promise<Owner | null> {
    const options = { deleted: true };
    if (owed.subscription !== null) {
      const subscriptions = (await this.service.get(SubscriptionStore)).in(company);
      // It works the amount out again when it follows the payment.
      return (await subscriptions.find(owed.subscription, options)) && { breakdown: null };
    }
    const orders = (await this.service.get(OrderStore)).in(company);
    const order = owed.order === null ? null : await orders.find(owed.order, options);
    if (order === null) return null;
    const isSame =
      order.currency === intent.currency && toMinor(order.amount, order.currency) === intent.amount_minor;
    return { breakdown: isSame ? order.breakdown : null };
  }
}

async function* intentsOf(account: CardProvider): AsyncGenerator<BookedIntent> {
  let last: string | null = null;
  do {
    const page: readonly BookedIntent[] = await account.intentsBefore(last);
    yield* page;
    last = page.at(-1)?.intent_id ?? null;
  } while (last !== null);
}

/** Intents of others, and of the time before they said what they are for, cannot be told apart. */
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

function idOrNull(text: string | null): Id | null {
  return text === null ? null : parseId(text);
}
