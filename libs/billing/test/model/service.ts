import { toMajor } from '@commerce/kernel';

import type { TermInput } from '../../src/domain/calendar/term.js';
import type { Refund } from '../../src/domain/lines/period-credits.js';
import { ChangingScenario } from '../changing-scenario.js';
import type { ScenarioPlan } from '../fixture.js';
import { nameOf } from '../scenario-text.js';
import type { Company, Plan, Term } from './subscription.js';

export interface Move {
  readonly at: number;
  /** The place of the payment among those that ask for something. */
  readonly payment: number;
  readonly amount: number;
  readonly to: 'card' | 'balance' | 'owed';
}

/** The service's own billing, whose refunds are kept beside its payments. */
export class Service extends ChangingScenario {
  readonly given: Move[] = [];

  constructor([first, ...others]: readonly Plan[], { zone, mode }: Company, currency: string) {
    const priceOf = (plan?: Plan): number => toMajor(plan?.price ?? 0, currency);
    super({
      plan: { ...(first && termsOf(first)), currency, auto_bill_amount: false },
      price: priceOf(first),
      plans: Object.fromEntries(others.map((one) => [one.name, { ...termsOf(one), price: priceOf(one) }])),
      settings: { timezone: zone, proration_mode: mode },
    });
  }

  get asked() {
    return this.payments.filter(({ charge }) => charge.amount_minor > 0);
  }

  /** A dispute that is lost has taken what the payment held. */
  dispute(place: number, becomes: 'disputed' | 'won' | 'lost'): void {
    const payment = this.asked[place];
    if (payment === undefined) return;
    if (becomes === 'disputed') this.disputed.add(payment.key);
    else if (this.disputed.delete(payment.key) && becomes === 'lost')
      payment.refunded_minor = payment.paid_minor;
  }

  protected override refund(refund: Refund, now: Date): void {
    const name = nameOf(refund.payment);
    const payment = this.asked.findIndex(({ key }) => key === name);
    const to = this.disputed.has(name) ? 'owed' : (refund.to ?? 'card');
    this.given.push({ at: now.getTime(), payment, amount: refund.amount_minor, to });
    super.refund(refund, now);
  }
}

function termsOf({ priced, billed, prepay, prorated }: Plan): Partial<ScenarioPlan> {
  return {
    interval_unit: priced.unit,
    interval_count: priced.count,
    billing_interval: billed.unit,
    billing_interval_count: billed.count,
    prepay,
    is_prorated: prorated,
  };
}

export function inputOf({ ending, total }: Term): TermInput {
  if (ending !== null) return { ending_date: new Date(ending) };
  return total === null ? { infinite: true } : { interval_total: total };
}

/** As the scenarios take instants. */
export function iso(at: number): string {
  return new Date(at).toISOString().slice(0, -1);
}
