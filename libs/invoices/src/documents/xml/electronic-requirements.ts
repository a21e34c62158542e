import { fault } from '@commerce/kernel';

import type { ElectronicInvoice } from './electronic-invoice.js';

/** @throws Fault `invoice.incomplete` naming the fields whose lack breaks a rule of the standard */
export function requireComplete(invoice: ElectronicInvoice): ElectronicInvoice {
  const missing = missingOf(invoice);
  if (missing.length === 0) return invoice;
  throw fault(
    'invoice.incomplete',
    `An electronic invoice needs ${missing.join(', ')}, which this one lacks`,
    {
      missing,
    },
  );
}

function missingOf({ seller, buyer, taxes }: ElectronicInvoice): string[] {
  const has = (...categories: readonly string[]): boolean =>
    taxes.some(({ category }) => categories.includes(category));
  const lacks: readonly [path: string, isMissing: boolean][] = [
    ['seller.vat_id', seller.vat_id === null && (has('K', 'G') || (seller.id ?? seller.tax_number) === null)],
    ['buyer.address', buyer.address === null],
    ['buyer.vat_id', buyer.vat_id === null && (has('K') || (has('AE') && buyer.legal_id === null))],
  ];
  return lacks.filter(([, isMissing]) => isMissing).map(([path]) => path);
}
