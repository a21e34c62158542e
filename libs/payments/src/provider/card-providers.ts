import type { Mode } from '@commerce/identity';
import type { Id } from '@commerce/records';

import type { CardProvider, ProviderWebhook } from './card-provider.js';

/** The accounts with the card provider: one serves live companies, another test companies. */
export abstract class CardProviders {
  /** The provider's name, the same for all accounts. */
  abstract readonly name: string;

  /** The minimum charges by currency, in minor units; one that is not listed has none. */
  abstract readonly minimums: Readonly<Record<string, number>>;

  /** The minimum charge in a currency, 0 where there is none. */
  minimumCharge(currency: string): number {
    return this.minimums[currency] ?? 0;
  }

  /**
   * The account that serves a company. Customers on a test clock are never served by a live account.
   * @throws ProviderNotConfigured
   */
  abstract accountOf(company: Id, testClock: Id | null): Promise<CardProvider>;

  /** @throws ProviderNotConfigured */
  abstract ofMode(mode: Mode): CardProvider;

  /** The account for companies of a mode; null where there is none. */
  abstract configured(mode: Mode): CardProvider | null;

  /**
   * Reads a raw webhook and identifies the account that sent it.
   * @throws Fault `notice.invalid` unless the signature is that of one of the accounts
   */
  abstract webhook(raw: Buffer, signature: string): ProviderWebhook & { readonly mode: Mode };
}
