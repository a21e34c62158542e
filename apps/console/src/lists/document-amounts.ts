import type { Reply } from 'commerce-service-client';

import { money } from '../app/format';

type Invoice = Reply<'/invoices', 'get'>[number];

/** An amount of a document; a credit note takes from what came in. */
export function signed({ kind }: Pick<Invoice, 'kind'>, amount: number): number {
  // Never a negative zero.
  return kind === 'credit_note' && amount !== 0 ? -amount : amount;
}

export function signedMoney(document: Pick<Invoice, 'kind' | 'currency'>, amount: number): string {
  return money(signed(document, amount), document.currency);
}
