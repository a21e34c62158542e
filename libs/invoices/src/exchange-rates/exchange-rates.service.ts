import { Injectable } from '@nestjs/common';
import { DatabaseClock, UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { fieldFault } from '@commerce/kernel';
import { InvoiceDueStore } from '@commerce/payments';
import { pageOf, type Id } from '@commerce/records';

import type { ExchangeRateRecord } from './exchange-rate.record.js';
import { ExchangeRateStore, type ExchangeRate } from './exchange-rate.store.js';
import type { ListExchangeRatesQuery, PutExchangeRatesReply } from './exchange-rates.dto.js';

/** The exchange rates by which invoices state VAT in the currency of the seller. */
@Injectable()
export class ExchangeRates {
  constructor(
    private readonly store: ExchangeRateStore,
    private readonly due: InvoiceDueStore,
    private readonly clock: DatabaseClock,
    private readonly units: UnitsOfWork,
  ) {}

  async list(caller: Caller, query: ListExchangeRatesQuery): Promise<Page<ExchangeRateRecord>> {
    const { currency, day } = query;
    const asked = Object.entries({ currency, day }).filter(([, value]) => value !== null);
    return this.store.for(caller).page(pageOf(query, Object.fromEntries(asked)));
  }

  /**
   * Writes rates; one that is there is replaced. The invoices that could not be made are tried again.
   * @throws Fault `value.invalid` for the euro, a day that is none, or one that is named twice
   */
  async put(company: Id, rates: readonly ExchangeRate[]): Promise<PutExchangeRatesReply> {
    requireRates(rates);
    // On record before it acts, so that no action can go unrecorded.
    await this.units.write(company, (work) => {
      work.note('performed', 'company', company);
    });
    const now = await this.clock.now();
    await this.store.put(company, rates, now);
    await this.due.retryFailed(company, now);
    const days = rates.map(({ day }) => day).sort();
    return { imported: rates.length, from: days[0] ?? '', to: days.at(-1) ?? '' };
  }
}

function requireRates(rates: readonly ExchangeRate[]): void {
  const known = new Set<string>();
  rates.forEach(({ currency, day }, index) => {
    const at = (field: string): string => `rates.${String(index)}.${field}`;
    if (currency === 'EUR') throw fieldFault(at('currency'), 'currency must be another one than the euro');
    if (!isDay(day)) throw fieldFault(at('day'), `day must be a day of the calendar: ${day}`);
    const key = `${currency} ${day}`;
    if (known.has(key)) throw fieldFault(at('day'), `${key} is named twice`);
    known.add(key);
  });
}

function isDay(day: string): boolean {
  const instant = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day);
}
