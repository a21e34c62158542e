import { paymentsToChange } from '../receivable/changed-periods.js';
import type { Refund, RestOf } from '../receivable/credit.js';
import { paymentName, type PaymentKey } from '../receivable/open-payment.js';
import type { Receivable } from '../receivable/receivable.js';

/** Money of a payment that has not been given back, in minor units: all of it, and the part that the card paid. */
interface Rest {
  readonly minor: number;
  readonly card_minor: number;
}

/** A payment that succeeds although its amounts are unknown here: it was open when the lookahead began. */
const UNKNOWN: Rest = { minor: Infinity, card_minor: Infinity };

/** The rests of the payments of one subscription, as the charges and refunds of a lookahead leave them. */
export class RestsAhead {
  private readonly rests = new Map<string, Rest>();

  constructor(receivable: Receivable, restOf: RestOf, cardRestOf: RestOf) {
    for (const key of paymentsToChange(receivable)) {
      this.rests.set(paymentName(key), { minor: restOf(key), card_minor: cardRestOf(key) });
    }
  }

  readonly restOf: RestOf = (key) => this.rest(key).minor;

  collect(key: PaymentKey, rest: Rest): void {
    this.rests.set(paymentName(key), rest);
  }

  /** Divides a refund as its payment will: capped at the rest, to the card first unless it is for the balance. */
  giveBack({ payment, amount_minor, to }: Refund): {
    readonly card_minor: number;
    readonly balance_minor: number;
  } {
    const rest = this.rest(payment);
    const given = Math.min(amount_minor, rest.minor);
    const card_minor = to === 'balance' ? 0 : Math.min(given, rest.card_minor);
    const minor = rest.minor - given;
    this.rests.set(paymentName(payment), {
      minor,
      card_minor: Math.min(minor, rest.card_minor - card_minor),
    });
    return { card_minor, balance_minor: given - card_minor };
  }

  private rest(key: PaymentKey): Rest {
    return this.rests.get(paymentName(key)) ?? UNKNOWN;
  }
}
