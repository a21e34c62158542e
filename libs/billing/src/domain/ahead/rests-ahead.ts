import type { Holding, HoldingOf } from '../lines/credit.js';
import type { Refund } from '../lines/period-credits.js';
import { paymentName, type PaymentKey } from '../lines/payment-key.js';
import { paymentsInBooks, type Accounts } from '../receivable/accounts.js';

/** What a payment holds, and the part of it that the card paid, in minor units. */
interface Rest extends Holding {
  readonly card_minor: number;
}

/** A payment that succeeds although its amounts are unknown here: it was open when the lookahead began. */
const UNKNOWN: Rest = { free: Infinity, disputed: 0, card_minor: Infinity };

/** What the payments of one subscription hold, as the charges and refunds of a lookahead leave them. */
export class RestsAhead {
  private readonly rests = new Map<string, Rest>();

  constructor(accounts: Accounts, holdingOf: HoldingOf, cardRestOf: (payment: PaymentKey) => number) {
    for (const key of paymentsInBooks(accounts)) {
      this.rests.set(paymentName(key), { ...holdingOf(key), card_minor: cardRestOf(key) });
    }
  }

  readonly holdingOf: HoldingOf = (key) => this.rest(key);

  collect(key: PaymentKey, minor: number, card_minor: number): void {
    this.rests.set(paymentName(key), { free: minor, disputed: 0, card_minor });
  }

  /** Divides a refund as its payment will: capped at the rest, to the card first unless it is for the balance. */
  giveBack({ payment, amount_minor, to }: Refund): {
    readonly card_minor: number;
    readonly balance_minor: number;
  } {
    const rest = this.rest(payment);
    const given = Math.min(amount_minor, rest.free);
    const card_minor = to === 'balance' ? 0 : Math.min(given, rest.card_minor);
    const free = rest.free - given;
    const left = Math.min(free, rest.card_minor - card_minor);
    this.rests.set(paymentName(payment), { ...rest, free, card_minor: left });
    return { card_minor, balance_minor: given - card_minor };
  }

  private rest(key: PaymentKey): Rest {
    return this.rests.get(paymentName(key)) ?? UNKNOWN;
  }
}
