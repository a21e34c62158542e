import { addVat, taxOfRate, toMinor, type TaxBehavior } from '@commerce/kernel';
import fc from 'fast-check';

import { buildInvoice } from './build-invoice.js';
import { ANY_SUPPLIES, DOCUMENT, FRENCH_ID, REVERSE_CHARGE, TEA, paymentFor } from './invoice.spec-data.js';
import { taxSupplies } from './taxed-supplies.js';

const CUP = { ...TEA, name: 'Cup', subtotal_minor: 1190, total_minor: 1190, quantity: 1, unit_minor: 1190 };

describe('an invoice', () => {
  it('shows supplies, taxes and totals, with the discount without VAT', () => {
    const supplies = [TEA, { ...CUP, tax: taxOfRate(0.19) }];
    const { lines, taxes, totals, paid, payment } = buildInvoice(DOCUMENT, paymentFor(supplies, 3116));
    expect(lines).toMatchObject([
      { description: 'Tea', quantity: 2, unit_price: 10.7, subtotal: 20, discount: 2, net: 18, tax: 1.26 },
      { description: 'Cup', quantity: 1, unit_price: 11.9, subtotal: 10, discount: 0, net: 10, tax: 1.9 },
    ]);
    expect(taxes).toMatchObject([
      { category: 'S', rate: 0.07, net: 18, tax: 1.26, gross: 19.26 },
      { category: 'S', rate: 0.19, net: 10, tax: 1.9, gross: 11.9 },
    ]);
    expect(totals).toEqual({ net: 28, tax: 3.16, gross: 31.16 });
    expect([paid, payment.method]).toEqual([31.16, 'card']);
  });

  it('rounds the VAT once for each rate, as the payment does', () => {
    const one = { ...CUP, tax: taxOfRate(0.23) };
    const supplies = [
      { ...one, subtotal_minor: 5555, total_minor: 5555 },
      { ...one, subtotal_minor: 1111, total_minor: 1111 },
    ];
    const { lines, totals } = buildInvoice(DOCUMENT, paymentFor(supplies, 6666));
    expect(totals).toEqual({ net: 54.2, tax: 12.46, gross: 66.66 });
    expect(lines.map(({ tax }) => tax)).toEqual([10.38, 2.08]);
  });

  it('counts days in the time zone of the seller, and periods in their own', () => {
    const period = { start: new Date('2026-03-31T22:00:00Z'), end: new Date('2026-04-30T22:00:00Z') };
    const supplies = [{ ...CUP, period }];
    const made = buildInvoice(DOCUMENT, paymentFor(supplies, 1190));
    expect(made.issue_date).toBe('2026-04-01');
    expect(made.service_period).toEqual({ start: '2026-04-01', end: '2026-04-30' });
    const other = buildInvoice(DOCUMENT, paymentFor(supplies, 1190, { timezone: 'UTC' }));
    expect(other.service_period).toEqual({ start: '2026-03-31', end: '2026-04-30' });
  });

  it('names the VAT id on which the tax depends, whatever that of the buyer is by now', () => {
    const tax = { ...REVERSE_CHARGE, vat_id: FRENCH_ID };
    const buyer = { ...DOCUMENT.buyer, vat_id: null };
    const made = buildInvoice({ ...DOCUMENT, buyer }, paymentFor([{ ...CUP, tax }], 1190));
    expect(made.buyer).toEqual({ ...buyer, vat_id: FRENCH_ID });
    expect(made.taxes).toEqual([{ ...REVERSE_CHARGE, country: null, net: 11.9, tax: 0, gross: 11.9 }]);
    const other = { ...DOCUMENT.buyer, vat_id: 'DE136695976' };
    expect(buildInvoice({ ...DOCUMENT, buyer: other }, paymentFor([CUP], 1190)).buyer).toEqual(other);
  });

  it('says what the balance paid', () => {
    const parts = { card_minor: 690, credit_minor: 500 };
    const both = buildInvoice(DOCUMENT, paymentFor([CUP], 1190, parts));
    expect([both.paid, both.credit_applied, both.payment.method]).toEqual([6.9, 5, 'card_and_balance']);
    const none = { ...CUP, subtotal_minor: 0, total_minor: 0 };
    expect(buildInvoice(DOCUMENT, paymentFor([none], 0)).payment.method).toBe('none');
  });

  it('is none where the supplies are not what was paid', () => {
    expect(() => buildInvoice(DOCUMENT, paymentFor([CUP], 1191))).toThrow(
      'the supplies add up to 11.9 EUR, not to 11.91',
    );
    expect(() => buildInvoice(DOCUMENT, paymentFor([], 0))).toThrow(RangeError);
  });

  it('adds up: lines, taxes and totals are the payment to the minor unit, for any supplies', () => {
    fc.assert(
      fc.property(ANY_SUPPLIES, ({ currency, prices, supplies }) => {
        const gross = taxSupplies(supplies, prices, currency).groups.reduce(
          (sum, { gross_minor }) => sum + gross_minor,
          0,
        );
        const made = buildInvoice(DOCUMENT, paymentFor(supplies, gross, { currency, prices }));
        const minor = (amount: number): number => toMinor(amount, currency);
        const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + minor(one), 0);
        expect(minor(made.totals.gross)).toBe(gross);
        for (const field of ['net', 'tax', 'gross'] as const) {
          expect(sum(made.lines.map((line) => line[field]))).toBe(minor(made.totals[field]));
          expect(sum(made.taxes.map((tax) => tax[field]))).toBe(minor(made.totals[field]));
        }
        made.lines.forEach((line, index) => {
          expect(minor(line.net) + minor(line.tax)).toBe(minor(line.gross));
          expect(minor(line.subtotal) - minor(line.discount)).toBe(minor(line.net));
          const agreed = prices === 'inclusive' ? line.gross : line.net;
          expect(minor(agreed)).toBe(supplies[index]?.total_minor);
        });
        for (const { rate, ...tax } of made.taxes) {
          const own = supplies.filter((one) => one.tax.rate === rate);
          const agreed = own.reduce((all, { total_minor }) => all + total_minor, 0);
          expect([tax.net, tax.tax, tax.gross].map(minor)).toEqual(vatOf(rate, agreed, prices, currency));
        }
      }),
    );
  });
});

/** The VAT as payments compute it. */
function vatOf(rate: number, agreed: number, prices: TaxBehavior, currency: string): number[] {
  const [vat] = addVat([{ rate, weight: agreed }], prices, currency);
  return vat === undefined ? [] : [vat.net_minor, vat.vat_minor, vat.gross_minor];
}
