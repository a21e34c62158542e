import {
  compareRatio,
  multiplyRatio,
  ratio,
  ratioOfDecimal,
  roundMoney,
  toMajor,
  toMinor,
} from '@commerce/kernel';

import type { InvoiceContent, InvoiceLine } from '../../content/invoice-content.js';
import type { DocumentTexts } from '../texts/document-texts.js';
import type { DocumentFormat } from './document-format.js';
import { rateView } from './rate-view.js';
import type { LineView } from './document-view.js';
import { reasonNote } from './reason-notes.js';

/** A line with its amount as it was agreed: with VAT, or without. */
export function lineView(
  line: InvoiceLine,
  content: InvoiceContent,
  texts: DocumentTexts,
  format: DocumentFormat,
): LineView {
  const { description, quantity, unit_price, gross, net, tax_rate: rate, tax_country: country } = line;
  return {
    description,
    notes: notesOf(line, content, texts, format),
    quantity: format.quantity(quantity),
    unit_price: unit_price === null ? '' : format.amount(unit_price),
    tax_rate: rateView({ rate, country }, content, format),
    amount: format.amount(content.prices === 'inclusive' ? gross : net),
  };
}

function notesOf(
  line: InvoiceLine,
  content: InvoiceContent,
  texts: DocumentTexts,
  format: DocumentFormat,
): string[] {
  const { service_period } = line;
  const differs =
    service_period !== null &&
    (service_period.start !== content.service_period?.start ||
      service_period.end !== content.service_period.end);
  const notes = [
    reasonNote(line, texts, format),
    differs ? format.period(service_period, 'short') : '',
    discountText(line, content, texts, format),
  ];
  return notes.filter((note) => note !== '');
}

/** The discount within the amount of the line. */
function discountText(
  line: InvoiceLine,
  { prices, currency }: InvoiceContent,
  texts: DocumentTexts,
  format: DocumentFormat,
): string {
  const { discount, gross } = line;
  if (discount === 0) return '';
  const before = prices === 'inclusive' ? agreedMinor(line, currency) : null;
  if (prices === 'exclusive') return `${texts.discount} ${format.amount(-discount)}`;
  if (before === null) return `${texts.discount_without_tax} ${format.amount(-discount)}`;
  return `${texts.discount} ${format.amount(toMajor(toMinor(gross, currency) - before, currency))}`;
}

/** Quantity times price; null where the line has no price of which it is a multiple. */
function agreedMinor({ quantity, unit_price }: InvoiceLine, currency: string): number | null {
  if (unit_price === null) return null;
  const exact = multiplyRatio(ratioOfDecimal(quantity), ratio(toMinor(unit_price, currency)));
  const minor = roundMoney(exact, currency);
  return compareRatio(ratio(minor), exact) === 0 ? minor : null;
}
