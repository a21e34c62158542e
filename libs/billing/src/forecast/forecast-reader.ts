import { Injectable } from '@nestjs/common';
import { BusinessClock, Companies } from '@commerce/identity';
import { fault } from '@commerce/kernel';
import { type Caller } from '@commerce/data';
import { EventLoopTurn, Log } from '@commerce/platform';
import { type Id } from '@commerce/records';
import { pMapIterable } from 'p-map';

import {
  ForecastTotals,
  endOfMonths,
  type ForecastAmount,
  type ForecastCharge,
} from '../domain/ahead/forecast.js';
import { forecastCharges } from '../domain/ahead/forecast-charges.js';
import type { RenewalRecord } from '../subscription-record/renewing.adapter.js';
import type { LiveSubscription } from '../subscription-record/subscription.store.js';
import type { TermsOf } from '../terms/terms-reader.js';
import { BalanceSharingReader, type LiveBatch, type SharingSubscriptions } from './balance-sharing-reader.js';
import type { ForecastQuery } from './forecast.dto.js';
import { UpcomingChargesReader, type RelatedInput } from './upcoming-charges-reader.js';

/** One batch is read while another is computed. */
const CONCURRENCY = 2;

/** The future charges of all live subscriptions of a company. */
export interface Forecast {
  readonly from: Date;
  readonly to: Date;
  /** The company's timezone, which defines the months. */
  readonly timezone: string;
  readonly subscriptions: number;
  /** Subscriptions that billing does not charge: billing is on hold, or one of their products changed its currency. */
  readonly not_included: number;
  readonly amounts: readonly ForecastAmount[];
}

/** The inputs of one forecast. */
interface Span {
  readonly company: Id;
  readonly from: Date;
  readonly to: Date;
  readonly totals: ForecastTotals;
  readonly signal: AbortSignal;
}

/** Subscriptions that are read together, with what other records hold for them. */
interface Batch {
  readonly span: Span;
  readonly termsOf: TermsOf;
  readonly relatedOf: (subscription: LiveSubscription) => RelatedInput;
}

/** Number of subscriptions of a batch that were added up, and of those that could not be. */
interface Added {
  readonly added: number;
  readonly failed: number;
}

/** Adds up the future charges of subscriptions, using the decisions that billing will make. */
@Injectable()
export class ForecastReader {
  constructor(
    private readonly upcoming: UpcomingChargesReader,
    private readonly sharing: BalanceSharingReader,
    private readonly companies: Companies,
    private readonly time: BusinessClock,
    private readonly log: Log,
  ) {}

  /**
   * Reads each subscription once; memory does not grow with their number.
   * @param signal stops the forecast: a caller over HTTP cannot wait for a large company
   * @throws Fault `test_clock.unknown`; `query.timeout` once the signal is aborted
   */
  async forecast(
    { company }: Pick<Caller, 'company'>,
    { months, test_clock }: ForecastQuery,
    signal: AbortSignal,
  ): Promise<Forecast> {
    const { timezone } = await this.companies.get(company);
    const from = await this.time.referred(company, test_clock, 'test_clock');
    const to = endOfMonths(from, months, timezone);
    const totals = new ForecastTotals(timezone);
    const span: Span = { company, from, to, totals, signal };
    let subscriptions = 0;
    let not_included = 0;
    const batches = this.sharing.live(company, test_clock);
    const added = pMapIterable(batches, (some) => this.add(some, span), { concurrency: CONCURRENCY });
    for await (const batch of added) {
      subscriptions += batch.added;
      not_included += batch.failed;
    }
    return { from, to, timezone, subscriptions, not_included, amounts: totals.amounts() };
  }

  private async add({ alone, sharing }: LiveBatch, span: Span): Promise<Added> {
    const ids = await this.addRenewals(alone, span);
    const others = await this.sharing.whole(span.company, ids);
    const groups = [...others.map((one) => ({ subscriptions: [one], balance_minor: 0 })), ...sharing];
    const { added, failed } = await this.addGroups(groups, span);
    return { added: alone.length - ids.length + added, failed };
  }

  /** Adds up the subscriptions that only renew; resolves to the ids of the others. */
  private async addRenewals(alone: readonly RenewalRecord[], span: Span): Promise<Id[]> {
    const termsOf = await this.upcoming.termsOf(span.company, alone);
    const turn = new EventLoopTurn();
    const others: Id[] = [];
    for (const one of alone) {
      if (span.signal.aborted) throw tooLong();
      const charges = one.held === null ? this.renewals(one, termsOf, span) : null;
      if (charges === null) others.push(one._id);
      else for (const charge of charges) span.totals.add(charge);
      if (turn.isOver) await turn.next();
    }
    return others;
  }

  /** Null also where there is an error, which is found again with the whole subscription. */
  private renewals(one: RenewalRecord, termsOf: TermsOf, { from: now, to }: Span): ForecastCharge[] | null {
    try {
      return this.upcoming.renewals(one, termsOf(one), { now, to });
    } catch {
      return null;
    }
  }

  private async addGroups(groups: readonly SharingSubscriptions[], span: Span): Promise<Added> {
    const all = groups.flatMap(({ subscriptions }) => subscriptions);
    if (all.length === 0) return { added: 0, failed: 0 };
    // Those without a balance may have changed since their renewals were looked at: their plans, too.
    const [termsOf, relatedOf] = await Promise.all([
      this.upcoming.termsOf(span.company, all),
      this.upcoming.relatedOf(all, span.from),
    ]);
    const turn = new EventLoopTurn();
    let failed = 0;
    for (const group of groups) {
      for (const count of this.addGroup(group, { span, termsOf, relatedOf })) {
        failed += count;
        if (turn.isOver) await turn.next();
      }
    }
    return { added: all.length - failed, failed };
  }

  /** Adds up one group; yields, each time other requests may run, how many more of its subscriptions could not be. */
  private *addGroup(group: SharingSubscriptions, batch: Batch): Generator<number, void> {
    const { subscriptions, balance_minor } = group;
    const { span, termsOf, relatedOf } = batch;
    yield 0;
    if (span.signal.aborted) throw tooLong();
    if (subscriptions.some(({ held }) => held !== null)) {
      yield subscriptions.length;
      return;
    }
    try {
      const ahead = subscriptions.map((one) =>
        this.upcoming.ahead(one, termsOf(one), relatedOf(one), span.from),
      );
      const charges: ForecastCharge[] = [];
      for (const charge of forecastCharges(ahead, { balance_minor, to: span.to })) {
        charges.push(charge);
        yield 0;
      }
      // All of them, or none where one has an error.
      charges.forEach((charge) => span.totals.add(charge));
    } catch (error) {
      const [only, ...others] = subscriptions;
      if (others.length > 0) return yield* this.addEach(subscriptions, batch);
      this.log.warn({ error, subscription: only?._id.toHexString() }, 'A forecast leaves a subscription out');
      yield 1;
    }
  }

  /** Adds up the subscriptions of a group that contains one with an error, without the balance. */
  private *addEach(subscriptions: readonly LiveSubscription[], batch: Batch): Generator<number, void> {
    for (const one of subscriptions) yield* this.addGroup({ subscriptions: [one], balance_minor: 0 }, batch);
  }
}

function tooLong(): Error {
  return fault('query.timeout', 'The forecast took too long; ask for fewer months, or use the admin command');
}
