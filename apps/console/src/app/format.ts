import { T } from '../texts';
import { DAY_MS } from './clock';

const LOCALE = T.locale;

const dates = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: '2-digit', timeZone: 'UTC' });
const spans = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** Formats a date in UTC, like the service. */
export function day(value: Date | number | null): string {
  return value === null ? T.none : dates.format(value);
}

/** Formats a day without a time: `2026-04-01`. */
export function calendarDay(value: string): string {
  return dates.format(Date.parse(value));
}

export function moment(value: Date | number | null): string {
  return value === null ? T.none : `${moments.format(value)} UTC`;
}

const hours = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: 'UTC' });

/** `14:00 UTC`. */
export function hour(value: Date | number): string {
  return `${hours.format(value)} UTC`;
}

export function month(value: Date | number): string {
  return months.format(value);
}

export function money(amount: number | null, currency: string): string {
  if (amount === null) return T.none;
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).format(amount);
}

/** Formats large amounts without cents, for page headings and, from a lower limit, above bars. */
export function roundMoney(amount: number, currency: string, large = 1000): string {
  const maximumFractionDigits = Math.abs(amount) >= large ? 0 : undefined;
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency, maximumFractionDigits }).format(amount);
}

/** Formats an amount for a narrow place: `€150K`, `€396`, `€19.90`. */
export function shortMoney(amount: number, currency: string): string {
  if (Math.abs(amount) < 1000) return roundMoney(amount, currency, 100);
  const compact = { notation: 'compact', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency, ...compact }).format(amount);
}

export function count(value: number): string {
  return new Intl.NumberFormat(LOCALE).format(value);
}

/** `in 3 days`, `2 hours ago`. */
export function away(value: Date | number, from: number): string {
  const ms = Number(value) - from;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= each) ?? ['second', 1000];
  return spans.format(Math.round(ms / size), unit);
}

/** Formats a code for people: `PAST_DUE` as `Past due`. */
export function words(value: string): string {
  const text = value.replaceAll(/[_.]/g, ' ').trim().toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
