import { percentOf, shareOf } from '../app/percent';
import type { Field } from './schema';

/** A body while it is written; what was not touched is not in it. */
export type Values = Readonly<Record<string, unknown>>;

/** Text of an input as the value that the body carries; empty text is no value. */
export function read({ input }: Field, text: string): unknown {
  if (text === '') return null;
  switch (input) {
    case 'number':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'percent':
      return shareOf(text) ?? text;
    case 'date':
      return Date.parse(`${text}Z`);
    case 'texts':
      return text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');
    case 'json':
      return json(text);
    case 'choice':
    case 'flag':
    case 'reference':
    case 'rows':
    case 'text':
      return text;
  }
}

/** Text that is no JSON goes out as it is: the service says what is wrong with it. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value as the text of its input. */
export function write({ input }: Field, value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (input === 'date' && typeof value === 'number') return new Date(value).toISOString().slice(0, 16);
  if (input === 'percent' && typeof value === 'number') return percentOf(value);
  if (Array.isArray(value) && input === 'texts') return value.join(', ');
  return JSON.stringify(value, null, 2);
}

/** The body of a new record: without what was left empty. */
export function withoutEmpty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''));
}
