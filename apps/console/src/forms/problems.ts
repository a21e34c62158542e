import type { CommerceProblem } from 'commerce-service-client';

import { plainText } from '../app/messages';
import { T } from '../texts';
import type { Field } from './schema';

const ID = /^[0-9a-f]{24}$/;

/** The error messages by field path, such as `items.0.product`. */
export type Problems = Readonly<Record<string, string>>;

export interface FieldProps {
  readonly field: Field;
  readonly path: string;
  readonly value: unknown;
  readonly problems: Problems;
  readonly change: (value: unknown) => void;
}

export function problemsOf({ errors }: CommerceProblem): Problems {
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
}

/** The message at a field, in the words of the form; undefined where the field has none. */
export function problemAt(
  problems: Problems,
  path: string,
  field: Field,
  value: unknown,
): string | undefined {
  const message = problems[path];
  if (message === undefined) return undefined;
  if (value === undefined || value === null || value === '') return T.forms.missing;
  if (field.input === 'reference' && !(typeof value === 'string' && ID.test(value))) return T.forms.pickOne;
  if (field.input === 'date' && message.includes('milliseconds')) return T.forms.pickDate;
  if (field.input === 'choice') return T.forms.chooseOne;
  if (field.input === 'percent' && (typeof value !== 'number' || value < 0 || value > 1))
    return T.forms.percentRange;
  return plainText(message, { [field.name]: field.text.label });
}
