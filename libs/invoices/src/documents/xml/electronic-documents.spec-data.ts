import {
  multiplyRatio,
  ratio,
  roundMoney,
  toMinor,
  type SupplyTax,
  type TaxBehavior,
} from '@commerce/kernel';
import fc from 'fast-check';

import { buildCreditNote, buildRefundReversal } from '../../content/build-credit-note.js';
import { buildInvoice, type DocumentInput, type InvoicedPayment } from '../../content/build-invoice.js';
import type { InvoiceContent, InvoiceSeller, PostalAddress } from '../../content/invoice-content.js';
import { DOCUMENT, TEA, paymentFor, suppliesIn } from '../../content/invoice.spec-data.js';
import { sellerTaxOf } from '../../content/seller-tax.js';
import { taxSupplies } from '../../content/taxed-supplies.js';

const { seller, buyer } = DOCUMENT;

const tax = (
  category: SupplyTax['category'],
  rate = 0,
  reason: string | null = null,
  reason_code: string | null = null,
): SupplyTax => ({
  category,
  rate,
  reason,
  reason_code,
});

/** A tax case: the parties, and the taxes that the supplies of one document may have. */
interface TaxCase {
  readonly seller: Partial<InvoiceSeller>;
  readonly buyer: Partial<DocumentInput['buyer']>;
  readonly taxes: readonly SupplyTax[];
}

const at = (country: string): PostalAddress => ({
  ...{ line1: 'Main street 1', line2: 'Hall 2', postal_code: '1010', city: 'Town', region: 'Region' },
  country,
});
const STANDARD = [tax('S', 0.19), tax('S', 0.07), tax('S', 0.055), tax('S', 0.2)];
const BUSINESS = { company: 'Café Zentral GmbH', vat_id: 'ATU13585627', address: at('AT') };

export const TAX_CASES: Readonly<Record<string, TaxCase>> = {
  'own country': { seller: {}, buyer: {}, taxes: STANDARD },
  'own country, a business': {
    seller: {},
    buyer: { company: 'GmbH', vat_id: 'DE 129 273 398' },
    taxes: STANDARD,
  },
  'another EU country, one stop shop': { seller: {}, buyer: { address: at('FR') }, taxes: STANDARD },
  'two countries with one rate': {
    seller: {},
    buyer: { address: at('FR') },
    taxes: [
      { ...tax('S', 0.2), country: 'AT' },
      { ...tax('S', 0.2), country: 'FR' },
      { ...tax('S', 0.19), country: 'DE' },
    ],
  },
  'own country, exempt among others': {
    seller: {},
    buyer: {},
    taxes: [
      ...STANDARD,
      tax('E', 0, 'Exempt: teaching', 'VATEX-EU-132'),
      tax('E', 0, 'Exempt: health'),
      tax('Z'),
    ],
  },
  'within the Netherlands': {
    seller: { address: at('NL'), vat_id: 'NL804895789B01' },
    buyer: { company: 'B.V.', address: at('NL'), vat_id: 'NL004495445B01' },
    taxes: [tax('S', 0.21), tax('S', 0.09)],
  },
  'a seller in Italy': {
    seller: { address: at('IT'), vat_id: 'IT12345670017', tax_number: '12345670017' },
    buyer: { ...BUSINESS, vat_id: 'FR40303265045', address: at('FR') },
    taxes: [tax('AE')],
  },
  'a seller in Greece': {
    seller: { address: at('GR'), vat_id: 'EL094259216' },
    buyer: BUSINESS,
    taxes: [tax('AE'), tax('K')],
  },
  'rate of 0 set by hand': { seller: {}, buyer: {}, taxes: [tax('Z')] },
  'small business': {
    seller: { vat_id: null, tax_number: '30/123/45678' },
    buyer: {},
    taxes: [tax('E', 0, '§ 19 UStG')],
  },
  'reverse charge': { seller: {}, buyer: BUSINESS, taxes: [tax('AE')] },
  'goods within the EU': {
    seller: {},
    buyer: BUSINESS,
    taxes: [tax('K', 0, 'Steuerfreie Lieferung', 'VATEX-EU-IC')],
  },
  'goods and services within the EU': { seller: {}, buyer: BUSINESS, taxes: [tax('K'), tax('AE'), tax('E')] },
  'goods outside the EU': { seller: {}, buyer: { address: at('US') }, taxes: [tax('G')] },
  'services outside the EU': {
    seller: {},
    buyer: { address: at('CH'), vat_id: 'CHE123456788' },
    taxes: [tax('O')],
  },
  'goods and services outside the EU': {
    seller: {},
    buyer: { address: at('JP') },
    taxes: [tax('O'), tax('G')],
  },
};

const LANGUAGES = ['en', 'de', 'fr-BE', 'es', 'it', 'nl'];

/** An invoice, or a document that corrects it: a credit note of all of it or of a part, or what takes back such. */
export function documentsOf(name: string): fc.Arbitrary<InvoiceContent> {
  const one = TAX_CASES[name] as TaxCase;
  return fc
    .record({
      supplied: suppliesIn(one.taxes),
      locale: fc.constantFrom(...LANGUAGES),
      credit: fc.double({ min: 0, max: 1, noNaN: true }),
      refunds: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
      subject: fc.constantFrom(null, 'order' as const, 'subscription' as const),
      footer: fc.constantFrom(null, 'Thank you <very> much & see you\nagain'),
    })
    .map(({ supplied, locale, credit, refunds, subject, footer }) => {
      const input: DocumentInput = {
        ...DOCUMENT,
        locale,
        seller: { ...seller, ...one.seller, footer },
        buyer: { ...buyer, ...one.buyer },
      };
      const payment = paid(supplied, credit, subject);
      const invoice = buildInvoice(input, payment);
      return inSellerCurrency(correctionsOf(invoice, input, refunds).at(-1) ?? invoice);
    });
}

/** The document with its VAT in euro, where that is another currency. */
function inSellerCurrency(content: InvoiceContent): InvoiceContent {
  if (content.currency === 'EUR' || content.totals.tax === 0) return content;
  const conversion = { currency: 'EUR', rate: 1.085, day: '2026-03-31' };
  return { ...content, seller_tax: sellerTaxOf(content, conversion) };
}

/**
 * Documents that correct an invoice: credit notes, each of a share of what is left, and for large shares invoices that
 * take back what was credited; half of the last ones give back all.
 */
function correctionsOf(
  invoice: InvoiceContent,
  input: DocumentInput,
  shares: readonly number[],
): InvoiceContent[] {
  const { currency } = invoice;
  const made: InvoiceContent[] = [];
  const all = toMinor(invoice.totals.gross, currency);
  let left = all;
  shares.forEach((share, index) => {
    const isAll = index === shares.length - 1 && share < 0.5;
    const isReversal = share > 0.7 && left < all;
    const amount_minor = isAll ? left : shareOf(isReversal ? all - left : left, share, currency);
    if (amount_minor === 0) return;
    const refund = { key: String(index), to: 'card' as const, amount_minor };
    const build = isReversal ? buildRefundReversal : buildCreditNote;
    made.push(build({ ...input, number: `R2026-00001${String(index)}` }, refund, invoice, made));
    left += isReversal ? amount_minor : -amount_minor;
  });
  return made;
}

function shareOf(minor: number, share: number, currency: string): number {
  return roundMoney(multiplyRatio(ratio(minor), ratio(Math.round(share * 1000), 1000)), currency);
}

function paid(
  {
    currency,
    prices,
    supplies,
  }: Pick<InvoicedPayment, 'currency' | 'supplies'> & { readonly prices: TaxBehavior },
  share: number,
  kind: 'order' | 'subscription' | null,
): InvoicedPayment {
  const sumOf = (some: InvoicedPayment['supplies']): number =>
    taxSupplies(some, prices, currency).groups.reduce((sum, { gross_minor }) => sum + gross_minor, 0);
  // A payment is never below 0.
  const owed = sumOf(supplies);
  const charged =
    owed >= 0
      ? supplies
      : [
          ...supplies,
          {
            ...TEA,
            tax: supplies[0]?.tax ?? TEA.tax,
            quantity: 1,
            unit_minor: null,
            subtotal_minor: -owed * 2,
            total_minor: -owed * 2,
          },
        ];
  const gross = sumOf(charged);
  const credit_minor = shareOf(gross, share, currency);
  return paymentFor(charged, gross, {
    ...{ currency, prices, card_minor: gross - credit_minor, credit_minor },
    subject: kind === null ? null : { kind, id: '5d5bea8f0d1b6a0001c0ffe2', human_id: 'S4B8ZN' },
  });
}
