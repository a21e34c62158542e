import { fieldFault } from '@commerce/kernel';

import type { ExchangeRate } from './exchange-rate.store.js';

/** Names the days of the ECB's file of one day: `26 November 2026`. */
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/**
 * The rates in a file of the European Central Bank, as CSV or XML, of one day or of many.
 * @throws Fault `value.invalid` at `file` where it is none of these
 */
export function ecbRates(text: string): ExchangeRate[] {
  const file = text.replace(/^\uFEFF/, '').trim();
  const rates = file.startsWith('<') ? ofXml(file) : ofCsv(file);
  if (rates.length === 0) throw refused('has no rate');
  return rates;
}

function ofXml(file: string): ExchangeRate[] {
  const days = file.split(/<Cube\s+time=/).slice(1);
  return days.flatMap((part) => {
    const day = dayOf(/^['"]([^'"]*)['"]/.exec(part)?.[1] ?? '');
    const cubes = part.matchAll(/<Cube\s+currency=['"]([^'"]*)['"]\s+rate=['"]([^'"]*)['"]/g);
    return [...cubes].map(([, currency = '', rate = '']) => rateOf(currency, day, rate));
  });
}

function ofCsv(file: string): ExchangeRate[] {
  const [head = [], ...rows] = file.split(/\r?\n/).map((line) => line.split(',').map((cell) => cell.trim()));
  if (head[0] !== 'Date') throw refused('begins neither with Date nor with XML');
  return rows.flatMap(([first = '', ...cells]) => {
    const day = dayOf(first);
    return cells.flatMap((cell, index) =>
      cell === '' || cell === 'N/A' ? [] : [rateOf(head[index + 1] ?? '', day, cell)],
    );
  });
}

function dayOf(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const [, day = '', month = '', year = ''] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? [];
  const number = MONTHS.indexOf(month) + 1;
  if (number === 0) throw refused(`names no day: ${text.slice(0, 40)}`);
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function rateOf(currency: string, day: string, text: string): ExchangeRate {
  const rate = Number(text);
  if (!/^[A-Z]{3}$/.test(currency) || !(rate > 0 && rate < Infinity)) {
    throw refused(`has no rate of a currency: ${currency.slice(0, 10)} ${text.slice(0, 20)}`);
  }
  return { currency, day, rate };
}

function refused(why: string): Error {
  return fieldFault('file', `the file of rates ${why}`);
}
