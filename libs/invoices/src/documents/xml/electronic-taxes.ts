import { sumToMinor, toMajor, type TaxCategory } from '@commerce/kernel';

import type { InvoiceContent, InvoiceTax } from '../../content/invoice-content.js';
import type { DocumentTexts } from '../texts/document-texts.js';
import { taxNote } from '../view/reason-notes.js';

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
  texts: DocumentTexts,
): InvoiceTax[] {
  const merged = new Map<string, InvoiceTax>();
  for (const tax of taxes) {
    const category = categoryAmong(tax.category, isUntaxed);
    const key = `${category} ${String(tax.rate)}`;
    const one = { ...tax, category, ...exemptionOf(tax, category, texts) };
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
  tax: InvoiceTax,
  category: TaxCategory,
  texts: DocumentTexts,
): Pick<InvoiceTax, 'reason' | 'reason_code'> {
  if (category === 'S' || category === 'Z') return { reason: null, reason_code: null };
  // A code of one category must not stand in another.
  const reason_code = tax.category === category ? (tax.reason_code ?? CODES[category]) : null;
  return { reason: taxNote(tax, texts), reason_code };
}

/** The codes of the VATEX list that say no more than their category. */
const CODES: Readonly<Record<TaxCategory, string | null>> = {
  ...{ S: null, Z: null, E: null },
  ...{ AE: 'VATEX-EU-AE', K: 'VATEX-EU-IC', G: 'VATEX-EU-G', O: 'VATEX-EU-O' },
};
