import { Fault, toMajor } from '@commerce/kernel';

import { BELOW_MINIMUM } from '../payments/charge-outcome.js';

/** The refusal of a request that leads to an amount below the provider's minimum; `path` is the field that decides it. */
export function belowMinimum(minimum_minor: number, currency: string, path: string): Fault {
  const minimum = toMajor(minimum_minor, currency);
  const message = `The card provider takes no less than ${String(minimum)} ${currency}`;
  return new Fault(BELOW_MINIMUM, message, {
    minimum,
    currency,
    errors: [{ path, code: BELOW_MINIMUM, message }],
  });
}
