import { setImmediate } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { BusinessClock, Companies } from '@commerce/identity';
import { fault } from '@commerce/kernel';
import { inBatches, type Caller } from '@commerce/data';
import { Log } from '@commerce/platform';
import { type Id } from '@commerce/records';
import { pMapIterable } from 'p-map';

import {
  ForecastTotals,
  endOfMonths,
  type ForecastAmount,
  type ForecastCharge,
} from '../domain/cycle/forecast.js';
import type { PreviewedCharge } from '../domain/cycle/preview.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import type { ForecastQuery } from './forecast.dto.js';
import { UpcomingChargesReader } from './upcoming-charges-reader.js';

/** Subscriptions whose plans and products are read together. */
const BATCH = 100;

/** One batch is read while another is computed. */
const CONCURRENCY = 2;

/** Time limit for a caller over HTTP. */
const REPLY_MS = 20_000;

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

/** Number of subscriptions of a batch that were added up, and of those that could not be. */
interface Added {
  readonly added: number;
  readonly failed: number;
}

/** Adds up the future charges of subscriptions, using the decisions that billing will make. */
@Injectable()
export class ForecastReader {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly upcoming: UpcomingChargesReader,
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
    signal: AbortSignal = AbortSignal.timeout(REPLY_MS),
  ): Promise<Forecast> {
    const { timezone } = await this.companies.get(company);
    const from = await this.time.referred(company, test_clock, 'test_clock');
    const to = endOfMonths(from, months, timezone);
    const totals = new ForecastTotals(timezone);
    const span: Span = { company, from, to, totals, signal };
    let subscriptions = 0;
    let not_included = 0;
    const batches = inBatches(this.store.live(company, test_clock), BATCH);
    const added = pMapIterable(batches, (batch) => this.add(batch, span), { concurrency: CONCURRENCY });
    for await (const batch of added) {
      subscriptions += batch.added;
      not_included += batch.failed;
    }
    return { from, to, timezone, subscriptions, not_included, amounts: totals.amounts() };
  }

  private async add(batch: readonly SubscriptionRecord[], span: Span): Promise<Added> {
    const termsOf = await this.upcoming.termsOf(span.company, batch);
    let failed = 0;
    for (const subscription of batch) {
      // Lets other requests run.
      await setImmediate();
      if (span.signal.aborted) throw tooLong();
      if (subscription.held !== null) {
        failed += 1;
        continue;
      }
      const canPay = await this.upcoming.canPay(subscription, span.from);
      try {
        const charges = this.upcoming.charges(subscription, termsOf(subscription), canPay, span.from);
        within(charges, span).forEach((charge) => span.totals.add(charge));
      } catch (error) {
        const { _id } = subscription;
        this.log.warn({ error, subscription: _id.toHexString() }, 'A forecast leaves a subscription out');
        failed += 1;
      }
    }
    return { added: batch.length - failed, failed };
  }
}

/** The charges within the months, without their breakdowns, which are large. */
function within(charges: Iterable<PreviewedCharge>, { to }: Span): ForecastCharge[] {
  const found: ForecastCharge[] = [];
  for (const { date, amount, breakdown } of charges) {
    if (date >= to) break;
    found.push({ date, amount, currency: breakdown.currency });
  }
  return found;
}

function tooLong(): Error {
  return fault('query.timeout', 'The forecast took too long; ask for fewer months, or use the admin command');
}
