import { Injectable } from '@nestjs/common';
import { inBatches, type Caller } from '@commerce/data';
import { BusinessClock, Companies } from '@commerce/identity';
import { fault } from '@commerce/kernel';
import { EventLoopTurn, Log, SlowResults } from '@commerce/platform';
import { parseId, type Id } from '@commerce/records';

import { monthOf, startsOfMonths } from '../domain/ahead/forecast.js';
import { monthlyMinor, recurringHistory, type RecurringTerms } from '../domain/revenue/recurring.js';
import { RevenueTotals, type RevenueMonth, type RevenueStep } from '../domain/revenue/revenue-totals.js';
import type { Subscribed } from '../domain/pricing/terms.js';
import { TermsReader, type PlanQuantity } from '../terms/terms-reader.js';
import type { RevenueQuery } from './revenue.dto.js';
import { RevenueStore, type RecurringRow } from './revenue.store.js';

/** Subscriptions whose plans and products are read together. */
const BATCH = 500;

/** The recurring revenue of a company by month. */
export interface Revenue {
  readonly from: Date;
  readonly to: Date;
  /** The company's timezone, which defines the months. */
  readonly timezone: string;
  /** Subscriptions whose price cannot be computed. */
  readonly not_included: number;
  readonly months: readonly RevenueMonth[];
}

/** Adds up recurring revenue from the terms that each subscription has had. */
@Injectable()
export class RevenueReader {
  private readonly kept = new SlowResults<Revenue>();

  constructor(
    private readonly store: RevenueStore,
    private readonly terms: TermsReader,
    private readonly companies: Companies,
    private readonly time: BusinessClock,
    private readonly log: Log,
  ) {}

  /**
   * The revenue for a caller over HTTP; that of a large company in real time may be minutes old, as its `to` says.
   * @throws Fault `test_clock.unknown`; `query.timeout` where it was not added up in time
   */
  async recent({ company }: Caller, query: RevenueQuery): Promise<Revenue> {
    const { months, test_clock } = query;
    // A test clock has a time of its own: its revenue is always added up anew.
    const key = test_clock === null ? `${company.toHexString()} ${months}` : null;
    const found = await this.kept.get(key, (signal) => this.revenue({ company }, query, signal));
    if (found === null) throw tooLong();
    return found;
  }

  /**
   * Reads each subscription once that counts now or counted since; memory does not grow with their number.
   * @param signal ends it early
   * @throws Fault `test_clock.unknown`; `query.timeout` once the signal is aborted
   */
  async revenue(
    { company }: Pick<Caller, 'company'>,
    { months, test_clock }: RevenueQuery,
    signal: AbortSignal,
  ): Promise<Revenue> {
    const { timezone } = await this.companies.get(company);
    const to = await this.time.referred(company, test_clock, 'test_clock');
    const starts = startsOfMonths(to, months, timezone).map((from) => ({
      month: monthOf(from, timezone),
      from,
    }));
    const from = starts[0]?.from ?? to;
    const totals = new RevenueTotals(starts);
    const turn = new EventLoopTurn();
    let not_included = 0;
    for await (const rows of inBatches(this.store.recurringSince(company, test_clock, from), BATCH)) {
      if (signal.aborted) throw tooLong();
      not_included += await this.add(company, rows, to, totals);
      if (turn.isOver) await turn.next();
    }
    return { from, to, timezone, not_included, months: totals.months() };
  }

  /** Adds subscriptions; returns how many of them cannot be priced. */
  private async add(
    company: Id,
    rows: readonly RecurringRow[],
    to: Date,
    totals: RevenueTotals,
  ): Promise<number> {
    const histories = rows.map((row) => ({ row, history: recurringHistory(row) }));
    const named = new Map<string, Subscribed>();
    for (const { history } of histories)
      for (const { terms } of history) if (terms !== null) named.set(keyOf(terms), terms);
    const minors = await this.minorsOf(company, named, to);
    let failed = 0;
    for (const { row, history } of histories) {
      const steps = stepsOf(history, minors);
      if (steps === null) failed += 1;
      else totals.add(row.currency, steps);
    }
    return failed;
  }

  /** The monthly amount of each of these terms; those that cannot be priced are left out. */
  private async minorsOf(
    company: Id,
    named: ReadonlyMap<string, Subscribed>,
    to: Date,
  ): Promise<ReadonlyMap<string, number>> {
    const asked = [...named].map(([key, terms]) => ({ key, wanted: planQuantity(terms) }));
    const termsOf = await this.terms.forMany(
      company,
      asked.map(({ wanted }) => wanted),
    );
    const minors = new Map<string, number>();
    const turn = new EventLoopTurn();
    for (const { key, wanted } of asked) {
      if (turn.isOver) await turn.next();
      try {
        const terms = termsOf(wanted);
        minors.set(key, monthlyMinor(terms.price(to), terms.plan));
      } catch (error) {
        this.log.warn({ error, plan: wanted.plan.toHexString() }, 'Recurring revenue leaves terms out');
      }
    }
    return minors;
  }
}

function planQuantity({ plan, quantity, discount }: Subscribed): PlanQuantity {
  const id = parseId(plan);
  if (id === null) throw new RangeError(`${plan} is no id of a plan`);
  return { plan: id, quantity, discount_terms: discount ?? null };
}

/** Null where one of the terms cannot be priced. */
function stepsOf(
  history: readonly RecurringTerms[],
  minors: ReadonlyMap<string, number>,
): RevenueStep[] | null {
  const steps: RevenueStep[] = [];
  for (const { from, terms } of history) {
    const minor = terms === null ? null : minors.get(keyOf(terms));
    if (minor === undefined) return null;
    steps.push({ from, minor });
  }
  return steps;
}

function keyOf({ plan, quantity, discount }: Subscribed): string {
  return discount === undefined ? `${plan} ${quantity}` : JSON.stringify([plan, quantity, discount]);
}

function tooLong(): Error {
  return fault(
    'query.timeout',
    'Adding up takes long: ask again in a while, or use the admin command revenue',
  );
}
