import { percentOf, shareOf } from '../app/percent';
import type { Field } from './schema';

/** A body that is being edited; untouched fields are absent. */
export type Values = Readonly<Record<string, unknown>>;

/** Converts the text of an input to the value in the body; empty text is no value. */
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
    case 'choices':
    case 'flag':
    case 'group':
    case 'reference':
    case 'references':
    case 'rows':
    case 'text':
      return text;
  }
}

/** Sends invalid JSON unchanged: the service reports the error. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Converts a value to the text of its input. */
export function write({ input }: Field, value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (input === 'date' && typeof value === 'number') return new Date(value).toISOString().slice(0, 16);
  if (input === 'percent' && typeof value === 'number') return percentOf(value);
  if (Array.isArray(value) && input === 'texts') return value.join(', ');
  return JSON.stringify(value, null, 2);
}

/** Removes the empty fields from the body of a new record. */
export function withoutEmpty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''));
}
