import { minorStep, taxOfRate, toMinor, type Supply } from '@commerce/kernel';
import fc from 'fast-check';

import { buildCreditNote, buildRefundReversal } from './build-credit-note.js';
import { buildInvoice } from './build-invoice.js';
import type { InvoiceContent } from './invoice-content.js';
import { ANY_SUPPLIES, DOCUMENT, FRENCH_ID, REVERSE_CHARGE, TEA, paymentFor } from './invoice.spec-data.js';
import { taxSupplies } from './taxed-supplies.js';

const NOTE = { ...DOCUMENT, number: 'RCN2026-000001', date: new Date('2026-05-02T12:00:00Z') };
const CUP = {
  ...{ ...TEA, name: 'Cup', quantity: 1, unit_minor: 1190 },
  ...{ subtotal_minor: 1190, total_minor: 1190, tax: taxOfRate(0.19) },
};
const invoice = buildInvoice(DOCUMENT, paymentFor([TEA, CUP], 3116));

describe('a credit note', () => {
  it('of a whole payment repeats its lines, and names its invoice', () => {
    const made = buildCreditNote(NOTE, { key: 'all', amount_minor: 3116, to: 'card' }, invoice, []);
    expect(made).toMatchObject({
      ...{ kind: 'credit_note', number: 'RCN2026-000001', issue_date: '2026-05-02' },
      preceding: { number: 'R2026-000001', issue_date: '2026-04-01' },
      ...{ lines: invoice.lines, taxes: invoice.taxes, totals: invoice.totals, paid: 31.16 },
      payment: { method: 'card', refund: 'all', date: '2026-05-02' },
    });
  });

  it('of a whole payment has the tax of lines that come to 0 together', () => {
    const exempt = { category: 'E' as const, rate: 0, reason: 'Exempt', reason_code: null };
    const book = { ...CUP, name: 'Book', tax: exempt };
    const unused = { ...book, reason: 'unused' as const, subtotal_minor: -1190, total_minor: -1190 };
    const supplied = buildInvoice(DOCUMENT, paymentFor([CUP, book, unused], 1190));
    const made = buildCreditNote(NOTE, { key: 'all', amount_minor: 1190, to: 'card' }, supplied, []);
    expect(made.lines).toEqual(supplied.lines);
    expect(made.taxes).toEqual(supplied.taxes);
    expect(made.taxes).toMatchObject([
      { category: 'E', rate: 0, net: 0, tax: 0, gross: 0 },
      { category: 'S', rate: 0.19, net: 10, tax: 1.9, gross: 11.9 },
    ]);
    const part = buildCreditNote(NOTE, { key: '1', amount_minor: 500, to: 'card' }, supplied, []);
    expect(part.taxes.map(({ category }) => category)).toEqual(['S']);
  });

  it('of a part divides it among the taxes in proportion', () => {
    const made = buildCreditNote(NOTE, { key: 'some', amount_minor: 1000, to: 'balance' }, invoice, []);
    expect(made.lines).toMatchObject([
      { description: 'Tea', reason: 'refund', unit_price: 6.18, net: 5.78, tax: 0.4, gross: 6.18 },
      { description: 'Cup', reason: 'refund', unit_price: 3.82, net: 3.21, tax: 0.61, gross: 3.82 },
    ]);
    expect(made.totals).toEqual({ net: 8.99, tax: 1.01, gross: 10 });
    expect([made.paid, made.credit_applied, made.payment.method]).toEqual([0, 10, 'balance']);
  });

  it('names the VAT id of its invoice where its tax depends on it, else that of the buyer now', () => {
    const supplied = { ...CUP, tax: { ...REVERSE_CHARGE, vat_id: FRENCH_ID } };
    const foreign = buildInvoice(DOCUMENT, paymentFor([supplied], 1190));
    const note = { ...NOTE, buyer: { ...NOTE.buyer, name: 'Ada', vat_id: null } };
    const part = { key: '1', amount_minor: 500, to: 'card' } as const;
    const made = buildCreditNote(note, part, foreign, []);
    expect(made.buyer).toEqual({ ...note.buyer, vat_id: FRENCH_ID });
    expect(buildCreditNote(note, part, invoice, []).buyer).toEqual(note.buyer);
  });

  it('keeps the countries of one rate apart, as its invoice does', () => {
    const taxIn = (country: string): Supply['tax'] => ({ ...taxOfRate(0.2), country });
    const cup = { ...CUP, subtotal_minor: 12_000, total_minor: 12_000, unit_minor: 12_000 };
    const supplies = [
      { ...cup, tax: taxIn('AT') },
      { ...cup, tax: taxIn('FR') },
    ];
    const both = buildInvoice(DOCUMENT, paymentFor(supplies, 24_000));
    const made = buildCreditNote(NOTE, { key: '1', amount_minor: 6000, to: 'card' }, both, []);
    const taxes = ({ taxes: all }: InvoiceContent) => all.map(({ country, net, tax }) => [country, net, tax]);
    expect([taxes(both), taxes(made)]).toEqual([
      [
        ['AT', 100, 20],
        ['FR', 100, 20],
      ],
      [
        ['AT', 25, 5],
        ['FR', 25, 5],
      ],
    ]);
    expect(made.lines.map(({ tax_country, net }) => [tax_country, net])).toEqual([
      ['AT', 25],
      ['FR', 25],
    ]);
  });

  it('is none for more than is left', () => {
    const first = buildCreditNote(NOTE, { key: '1', amount_minor: 3000, to: 'card' }, invoice, []);
    const more = { key: '2', amount_minor: 117, to: 'card' } as const;
    expect(() => buildCreditNote(NOTE, more, invoice, [first])).toThrow('at most 1.16 EUR');
  });

  it('is taken back by an invoice, for each tax, and can be given again', () => {
    const refund = (key: string, amount_minor: number) => ({ key, amount_minor, to: 'card' }) as const;
    const first = buildCreditNote(NOTE, refund('1', 1000), invoice, []);
    const back = buildRefundReversal({ ...NOTE, number: 'R2026-000002' }, refund('1', 1000), invoice, [
      first,
    ]);
    expect(back).toMatchObject({
      ...{ kind: 'invoice', paid: 10, totals: first.totals, taxes: first.taxes },
      preceding: { number: 'R2026-000001', issue_date: '2026-04-01' },
    });
    expect(back.lines).toEqual(first.lines.map((line) => ({ ...line, reason: 'refund_returned' })));
    const again = buildCreditNote(NOTE, refund('2', 3116), invoice, [first, back]);
    expect(again).toMatchObject({ taxes: invoice.taxes, totals: invoice.totals });
    const more = (): InvoiceContent => buildRefundReversal(NOTE, refund('1', 1), invoice, [first, back]);
    expect(more).toThrow('at most 0 EUR');
  });

  it('gives back the invoice in any parts, some taken back between, exactly and for each tax', () => {
    fc.assert(
      fc.property(
        ANY_SUPPLIES,
        fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
        ({ currency, prices, supplies }, shares) => {
          const { groups } = taxSupplies(supplies, prices, currency);
          const gross = groups.reduce((sum, { gross_minor }) => sum + gross_minor, 0);
          fc.pre(gross > 0);
          const whole = buildInvoice(DOCUMENT, paymentFor(supplies, gross, { currency, prices }));
          const notes = partsOf(gross, shares, minorStep(currency)).reduce<InvoiceContent[]>(
            (earlier, amount_minor, index) => {
              const refund = { key: String(index), amount_minor, to: 'card' } as const;
              const note = buildCreditNote(NOTE, refund, whole, earlier);
              if (index % 2 === 0) return [...earlier, note];
              const back = buildRefundReversal(NOTE, refund, whole, [...earlier, note]);
              const both = [...earlier, note, back];
              return [...both, buildCreditNote(NOTE, refund, whole, both)];
            },
            [],
          );
          for (const { category, rate, ...tax } of whole.taxes) {
            const own = notes.flatMap(({ kind, taxes }) =>
              taxes.filter((one) => one.rate === rate).map((one) => ({ ...one, kind })),
            );
            for (const field of ['net', 'tax', 'gross'] as const) {
              const sum = own.reduce(
                (all, one) => all + (one.kind === 'credit_note' ? 1 : -1) * toMinor(one[field], currency),
                0,
              );
              expect([category, sum]).toEqual([category, toMinor(tax[field], currency)]);
            }
          }
          for (const { totals, lines, paid } of notes) {
            expect(paid).toBe(totals.gross);
            const sum = lines.reduce((all, line) => all + toMinor(line.gross, currency), 0);
            expect(sum).toBe(toMinor(totals.gross, currency));
          }
        },
      ),
    );
  });
});

/** Divides an amount into parts above 0; the last is the rest. */
function partsOf(gross: number, shares: readonly number[], step: number): number[] {
  let rest = gross;
  const parts: number[] = [];
  for (const share of shares) {
    const part = Math.floor((rest * share) / step) * step;
    if (part <= 0 || part >= rest) continue;
    parts.push(part);
    rest -= part;
  }
  return [...parts, rest];
}
