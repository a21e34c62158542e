import { hash } from 'node:crypto';

import { parseId, type Id } from '@commerce/records';

/** The id of the record that stands for something of Stripe's: the same in every run, so that nothing is made twice. */
export function importedId(company: Id, kind: string, reference: string): Id {
  const text = `stripe/${company.toHexString()}/${kind}/${reference}`;
  const id = parseId(hash('sha256', text).slice(0, 24));
  if (id === null) throw new Error('24 hexadecimal digits are no id');
  return id;
}
