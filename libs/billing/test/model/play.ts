import { isFault } from '@commerce/kernel';

import { STEPS, type Act, type History } from './histories.js';
import { Model } from './model.js';
import type { ScenarioPayment } from '../scenario-payment.js';
import { inputOf, iso, Service } from './service.js';
import { day, difference, money, opening } from './story.js';
import type { Company, Term } from './subscription.js';
import { beginOf, dateOf } from './wall.js';

const HOUR = 3_600_000;
const AFTERWARDS = 50 * 24 * HOUR;

/** Plays a history by the service and by the model, and compares them after each step. */
export class Play {
  private readonly service: Service;
  private readonly model: Model;
  private readonly story: string[] = [];
  private now: number;

  constructor(private readonly history: History) {
    const { plans, zone, mode, start, currency } = history;
    const [first] = plans;
    if (first === undefined) throw new Error('there is no plan');
    const company: Company = { zone, mode, step: STEPS[currency] };
    this.service = new Service(plans, company, currency);
    this.model = new Model(company, { plan: first, quantity: 1 }, { ending: null, total: null }, start);
    this.now = start;
    this.service.script = history.refused.map((one) => (one ? 'hard' : 'yes'));
    this.model.refused = history.refused;
    this.service.start(iso(start));
    this.tell(opening(company, plans, currency));
  }

  run(): void {
    for (const { pass, late, act } of this.history.steps) {
      this.pass(pass);
      this.work(late);
      try {
        if (!this.isBusy()) this.act(act);
      } catch (error) {
        // What the service refuses changes nothing, in the model neither.
        if (!isFault(error)) throw error;
      }
      this.compare();
    }
    this.now += AFTERWARDS;
    this.work(false);
  }

  private work(isLate: boolean): void {
    if (isLate) this.tell('the worker comes back');
    if (isLate) this.service.wake(iso(this.now));
    else this.service.runTo(new Date(this.now));
    this.model.run(this.now, isLate);
    this.compare();
  }

  private tell(what: string): void {
    this.story.push(`  ${day(this.now)} ${what}`);
  }

  private pass(by: History['steps'][number]['pass']): void {
    const { zone } = this.history;
    if (by === 'midnight') this.now = beginOf(zone, dateOf(zone, this.now) + 1);
    else if (by === 'due') {
      const due = this.service.current.derived.due?.getTime() ?? this.now;
      this.now = Math.max(this.now, Math.min(due, this.now + AFTERWARDS));
    } else if (by !== 'none') this.now += by * HOUR;
  }

  /**
   * Whether a calendar that broke another off began today, or may begin. From which payment the day is given back, and
   * whether to the balance, the model does not follow: nothing else is done on such a day.
   */
  private isBusy(): boolean {
    const { eras, company, pending, resumeAt } = this.model.it;
    const isToday = (at: number): boolean => dateOf(company.zone, at) === dateOf(company.zone, this.now);
    if (isToday(pending?.at ?? 0) || isToday(resumeAt ?? 0)) return true;
    return eras.length > 1 && eras.some(({ calendar }) => isToday(calendar.anchor));
  }

  private act(act: Act): void {
    const { service, model, now } = this;
    if (act.do === 'stop') {
      const ending = this.ahead(act.ahead);
      service.stop(iso(now), ending === null ? undefined : iso(ending));
      model.stop(ending);
      this.tell(`stop ${ending === null ? 'at once' : `at ${day(ending)}`}`);
    }
    if (act.do === 'pause') {
      const until = this.ahead(act.ahead);
      service.pause(iso(now), until === null ? undefined : iso(until));
      model.pause(until);
      this.tell(`pause${until === null ? '' : ` until ${day(until)}`}`);
    }
    if (act.do === 'start') this.start(act.reanchor);
    if (act.do === 'end') {
      const ending = this.history.ends ? this.ahead(act.ahead) : null;
      this.end({ ending, total: ending === null && this.history.totals ? act.total : null });
    }
    if (act.do === 'change') this.change(act);
    if (act.do === 'refund' || act.do === 'dispute') this.takeBack(act);
    if (act.do === 'withdraw') {
      service.withdraw(iso(now));
      model.it.pending = null;
      this.tell('withdraw the change');
    }
  }

  private ahead(hours: number | null): number | null {
    return hours === null ? null : this.now + hours * HOUR;
  }

  private start(reanchor: boolean): void {
    const { service, model } = this;
    const { status } = service.current;
    service.start(iso(this.now), { reanchor });
    if (status === 'PAUSED') model.resume(this.now, reanchor);
    else model.takeBack();
    this.tell(status !== 'PAUSED' ? 'take the stop back' : `resume${reanchor ? ' with a new calendar' : ''}`);
  }

  private end(term: Term): void {
    this.service.change(iso(this.now), inputOf(term));
    this.model.it.term = term;
    const { ending, total } = term;
    const ends = ending === null ? `after ${String(total)} intervals` : `at ${day(ending)}`;
    this.tell(ending === null && total === null ? 'no end' : `end ${ends}`);
  }

  private change({ plan: index, quantity, at: when, refund }: Extract<Act, { do: 'change' }>): void {
    const { service, model, now } = this;
    const plan = this.history.plans[index];
    if (plan === undefined) return;
    const end = service.current.derived.current_billing_date_period_end?.getTime() ?? now;
    const at = when === 'now' ? now : when === 'period_end' ? end : now + when * HOUR;
    service.changePlan(
      iso(now),
      { plan: index === 0 ? 'first' : plan.name, quantity },
      {
        at: typeof when === 'number' ? new Date(at) : when,
        credit: refund ? 'refund' : 'balance',
      },
    );
    model.change({ plan, quantity }, at, refund ? 'card' : 'balance');
    const due = at === now ? '' : ` at ${day(at)}`;
    this.tell(`change to ${String(quantity)} × ${plan.name}${due}${refund ? ', credit to the card' : ''}`);
  }

  private takeBack(act: Extract<Act, { do: 'refund' | 'dispute' }>): void {
    const [theirs, ours] = [this.service.asked[act.payment], this.model.payments[act.payment]];
    if (theirs === undefined || ours === undefined) return;
    const name = `payment ${String(act.payment + 1)}`;
    if (act.do === 'refund') {
      if (ours.isDisputed) return;
      const amount = Math.floor((ours.holds * act.quarters) / 4);
      theirs.refunded_minor += amount;
      ours.holds -= amount;
      this.tell(`${money(amount)} of ${name} given back by hand`);
    } else {
      this.service.dispute(act.payment, act.becomes);
      if (ours.isDisputed && act.becomes === 'lost') ours.holds = 0;
      ours.isDisputed = act.becomes === 'disputed';
      this.tell(`${name}: ${act.becomes}`);
    }
  }

  private compare(): void {
    const { service, model } = this;
    const given = ({ at, payment, amount, to }: Model['given'][number]): string =>
      `${day(at)} ${money(amount)} of payment ${String(payment + 1)} to ${to}`;
    const asked = model.payments.map(({ at, amount }) => `${day(at)} ${money(amount)}`);
    const charges = service.asked.map(
      ({ at, charge }) => `${day(at.getTime())} ${money(charge.amount_minor)}`,
    );
    this.hold('status', model.it.status, service.it.status);
    this.hold('charges', asked, charges);
    this.hold('given back', model.given.map(given), service.given.map(given));
    this.hold('owed', model.outstanding, service.current.receivable.outstanding_amount_minor);
    this.hold('held', sum(model.payments.map(({ holds }) => holds)), sum(service.asked.map(holdsOf)));
  }

  private hold(what: string, model: unknown, service: unknown): void {
    const differs = difference(model, service);
    if (differs === null) return;
    const log = this.service.lines.slice(0, 40).map((line) => `    ${line}`);
    throw new Error([`They differ in ${what}`, differs, ...this.story, '  Service:', ...log].join('\n'));
  }
}

const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
const holdsOf = ({ paid_minor, refunded_minor }: ScenarioPayment): number => paid_minor - refunded_minor;
