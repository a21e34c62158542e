import type { SupplyShare } from '@commerce/kernel';

import type { InvoiceLine, InvoiceTax } from '../../content/invoice-content.js';
import type { DocumentTexts } from '../texts/document-texts.js';
import type { DocumentFormat } from './document-format.js';

/** Why a line is not the plain price of what it names, and of which part; empty where it is. */
export function reasonNote(
  { reason, share }: Pick<InvoiceLine, 'reason' | 'share'>,
  texts: DocumentTexts,
  format: DocumentFormat,
): string {
  const why = [
    reason === null ? null : texts.reasons[reason],
    share === null ? null : shareText(share, texts, format),
  ];
  return why.filter((text) => text !== null).join(', ');
}

function shareText({ part, of, unit }: SupplyShare, texts: DocumentTexts, format: DocumentFormat): string {
  if (unit === 'day') return texts.days(format.quantity(part), format.quantity(of));
  return texts.share(format.percent(part / of));
}

const SMALL_BUSINESS = /small business/i;

/** The reason in the language of the document; a reason that only the seller gave is in the seller's words. */
export function taxNote({ category, reason, reason_code }: InvoiceTax, texts: DocumentTexts): string | null {
  if (category === 'E' && reason !== null && SMALL_BUSINESS.test(reason)) return texts.small_business;
  const note = texts.categories[category];
  if (note === null || reason_code !== null) return note ?? reason;
  const isKnown = reason === null || STANDARD_REASONS.has(reason);
  return isKnown ? note : `${note} (${reason})`;
}

/** The reasons that the kernel writes, in English: the documents have their own words for them. */
const STANDARD_REASONS = new Set([
  'Exempt from VAT',
  'Reverse charge',
  'Intra-community supply',
  'Export outside the EU',
  'Outside the scope of VAT',
]);
