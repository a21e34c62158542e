import { sumToMinor, toMajor, type TaxCategory } from '@commerce/kernel';

import type { InvoiceContent, InvoiceTax } from '../../content/invoice-content.js';

/** Why no VAT, or that of another party, is due: in words, and as a code of the VATEX list. */
export interface Exemption {
  readonly reason: string | null;
  readonly code: string | null;
}

/**
 * The category of a supply among the others of its document. EN 16931 allows none beside one outside the scope of VAT,
 * so there it counts as exempt, for its own reason.
 */
export function categoryAmong(category: TaxCategory, isUntaxed: boolean): TaxCategory {
  return category === 'O' && !isUntaxed ? 'E' : category;
}

/** The taxes of a document, of which EN 16931 wants one for each category and rate: reasons of the same are joined. */
export function taxesAmong(
  { taxes, currency }: Pick<InvoiceContent, 'taxes' | 'currency'>,
  isUntaxed: boolean,
): InvoiceTax[] {
  const merged = new Map<string, InvoiceTax>();
  for (const tax of taxes) {
    const category = categoryAmong(tax.category, isUntaxed);
    const key = `${category} ${String(tax.rate)}`;
    const one = { ...tax, category, ...exemptionOf(tax, category) };
    const other = merged.get(key);
    merged.set(key, other === undefined ? one : joined(other, one, currency));
  }
  return [...merged.values()];
}

function joined(a: InvoiceTax, b: InvoiceTax, currency: string): InvoiceTax {
  const sum = (x: number, y: number): number => toMajor(sumToMinor(x + y, currency), currency);
  const reasons = [a.reason, b.reason].filter((reason) => reason !== null);
  return {
    ...a,
    reason: reasons.length === 0 ? null : [...new Set(reasons)].join('; '),
    reason_code: a.reason_code === b.reason_code ? a.reason_code : null,
    net: sum(a.net, b.net),
    tax: sum(a.tax, b.tax),
    gross: sum(a.gross, b.gross),
  };
}

/** Taxed supplies may name no reason; all others must. */
function exemptionOf(
  { reason, reason_code, category: own }: InvoiceTax,
  category: TaxCategory,
): Pick<InvoiceTax, 'reason' | 'reason_code'> {
  if (category === 'S' || category === 'Z') return { reason: null, reason_code: null };
  const usual = USUAL[own];
  return {
    reason: reason ?? usual.reason,
    // A code of one category must not stand in another.
    reason_code: own === category ? (reason_code ?? usual.code) : null,
  };
}

const USUAL: Readonly<Record<TaxCategory, Exemption>> = {
  S: { reason: null, code: null },
  Z: { reason: null, code: null },
  E: { reason: 'Exempt from VAT', code: null },
  AE: { reason: 'Reverse charge', code: 'VATEX-EU-AE' },
  K: { reason: 'Intra-community supply', code: 'VATEX-EU-IC' },
  G: { reason: 'Export outside the EU', code: 'VATEX-EU-G' },
  O: { reason: 'Not subject to VAT', code: 'VATEX-EU-O' },
};
