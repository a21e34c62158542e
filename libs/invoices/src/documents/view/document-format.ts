import { exponentOf } from '@commerce/kernel';

import type { ServicePeriod } from '../../content/invoice-content.js';

const MOST_DECIMALS_OF_QUANTITY = 6;
const MOST_DECIMALS_OF_PERCENT = 3;

/** Writes amounts, numbers and days as the language of a document does. */
export class DocumentFormat {
  private readonly amounts: Intl.NumberFormat;
  private readonly currencyAmounts: Intl.NumberFormat;
  private readonly quantities: Intl.NumberFormat;
  private readonly percentages: Intl.NumberFormat;
  private readonly days: Intl.DateTimeFormat;
  private readonly shortDays: Intl.DateTimeFormat;
  private readonly regions: Intl.DisplayNames;

  constructor(
    locale: string,
    private readonly currency: string,
  ) {
    const decimals = exponentOf(currency);
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    this.amounts = new Intl.NumberFormat(locale, digits);
    this.currencyAmounts = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits });
    this.quantities = new Intl.NumberFormat(locale, { maximumFractionDigits: MOST_DECIMALS_OF_QUANTITY });
    this.percentages = new Intl.NumberFormat(locale, {
      style: 'percent',
      maximumFractionDigits: MOST_DECIMALS_OF_PERCENT,
    });
    this.days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.shortDays = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
    this.regions = new Intl.DisplayNames(locale, { type: 'region' });
  }

  /** Without the currency, for columns whose head names it. */
  amount(value: number): string {
    return withMinus(this.amounts.format(positiveZero(value)));
  }

  money(value: number): string {
    return withMinus(this.currencyAmounts.format(positiveZero(value)));
  }

  /** A name of a column of amounts, with the currency. */
  inCurrency(name: string): string {
    return `${name} (${this.currency})`;
  }

  quantity(value: number): string {
    return withMinus(this.quantities.format(value));
  }

  percent(fraction: number): string {
    return this.percentages.format(fraction);
  }

  day(day: string): string {
    return unbroken(this.days.format(instantOf(day)));
  }

  /** A span whose days both belong to it. */
  period({ start, end }: ServicePeriod, style: 'long' | 'short' = 'long'): string {
    const days = style === 'long' ? this.days : this.shortDays;
    return days.formatRange(instantOf(start), instantOf(end));
  }

  country(code: string): string {
    return this.regions.of(code) ?? code;
  }
}

function instantOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** A hyphen may end a line; a minus sign does not. */
function withMinus(text: string): string {
  return text.replace('-', '−');
}

/** A day stays on one line. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

function positiveZero(value: number): number {
  return value === 0 ? 0 : value;
}
