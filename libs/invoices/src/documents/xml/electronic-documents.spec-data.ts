import type { SupplyTax, TaxBehavior } from '@commerce/kernel';
import fc from 'fast-check';

import { buildCreditNote } from '../../content/build-credit-note.js';
import { buildInvoice, type DocumentInput, type InvoicedPayment } from '../../content/build-invoice.js';
import type { InvoiceContent, InvoiceSeller } from '../../content/invoice-content.js';
import { DOCUMENT, TEA, paymentFor, suppliesIn } from '../../content/invoice.spec-data.js';
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

const at = (country: string): DocumentInput['buyer']['address'] => ({
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

/** An invoice, or a credit note of a part of one or of all. */
export function documentsOf(name: string): fc.Arbitrary<InvoiceContent> {
  const one = TAX_CASES[name] as TaxCase;
  return fc
    .record({
      supplied: suppliesIn(one.taxes),
      locale: fc.constantFrom(...LANGUAGES),
      credit: fc.double({ min: 0, max: 1, noNaN: true }),
      kind: fc.constantFrom('invoice', 'part', 'whole'),
      subject: fc.constantFrom(null, 'order' as const, 'subscription' as const),
      footer: fc.constantFrom(null, 'Thank you <very> much & see you\nagain'),
    })
    .map(({ supplied, locale, credit, kind, subject, footer }) => {
      const input: DocumentInput = {
        ...DOCUMENT,
        locale,
        seller: { ...seller, ...one.seller, footer },
        buyer: { ...buyer, ...one.buyer },
      };
      const payment = paid(supplied, credit, subject);
      const invoice = buildInvoice(input, payment);
      const gross = payment.card_minor + payment.credit_minor;
      const refund = {
        key: 'r',
        to: 'card' as const,
        amount_minor: kind === 'part' ? partOf(gross, credit, payment.currency) : gross,
      };
      if (kind === 'invoice' || refund.amount_minor === 0) return invoice;
      return buildCreditNote({ ...input, number: 'RCN2026-000001' }, refund, invoice, []);
    });
}

function partOf(gross: number, share: number, currency: string): number {
  const step = currency === 'KWD' ? 10 : 1;
  return Math.ceil((gross * share) / step) * step;
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
  const credit_minor = partOf(gross, share, currency) > gross ? 0 : partOf(gross, share, currency);
  return paymentFor(charged, gross, {
    ...{ currency, prices, card_minor: gross - credit_minor, credit_minor },
    subject: kind === null ? null : { kind, id: '5d5bea8f0d1b6a0001c0ffe2', human_id: 'S4B8ZN' },
  });
}
