import { hash } from 'node:crypto';

import { parseId, type Id } from '@commerce/records';

/** The id of the record that represents a Stripe object: the same in every run, so that no record is created twice. */
export function importedId(company: Id, kind: string, reference: string): Id {
  const text = `stripe/${company.toHexString()}/${kind}/${reference}`;
  const id = parseId(hash('sha256', text).slice(0, 24));
  if (id === null) throw new Error('24 hexadecimal digits are no id');
  return id;
}
