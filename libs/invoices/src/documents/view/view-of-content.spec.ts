import {
  LINE_REASONS,
  type InvoiceContent,
  type InvoiceLine,
  type InvoiceTax,
} from '../../content/invoice-content.js';
import { SAMPLE_INVOICE } from '../../content/sample-invoice.js';
import type { DocumentView } from './document-view.js';
import { viewOfContent } from './view-of-content.js';

const [TEA] = SAMPLE_INVOICE.lines as [InvoiceLine];

function shown(change: Partial<InvoiceContent>): DocumentView {
  return viewOfContent({ ...SAMPLE_INVOICE, ...change });
}

/** The view with plain spaces: `Intl` writes several kinds. */
function plain(view: DocumentView): DocumentView {
  return JSON.parse(JSON.stringify(view).replace(/[\u00a0\u2009\u202f]/g, ' ')) as DocumentView;
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'];

describe('what a document shows', () => {
  it.each([
    ['en', 'Invoice', 'April 1, 2026', '€31.16', '7%'],
    ['de', 'Rechnung', '1. April 2026', '31,16 €', '7 %'],
    ['de-AT', 'Rechnung', '1. April 2026', '€ 31,16', '7 %'],
    ['fr', 'Facture', '1 avril 2026', '31,16 €', '7 %'],
    ['es', 'Factura', '1 de abril de 2026', '31,16 €', '7 %'],
    ['it', 'Fattura', '1 aprile 2026', '31,16 €', '7%'],
    ['nl', 'Factuur', '1 april 2026', '€ 31,16', '7%'],
  ])('is in the language and the form of %s', (locale, title, date, total, rate) => {
    const { title: named, facts, totals, lines, language } = plain(shown({ locale }));
    expect([language, named]).toEqual([locale.slice(0, 2), title]);
    expect(facts[0]?.value).toBe(date);
    expect(totals.find(({ weight }) => weight === 'sum')?.value).toBe(total);
    expect(lines[0]?.tax_rate).toBe(rate);
  });

  it.each([
    ['JPY', 21400, 'de', '21.400', '21.400 ¥'],
    ['JPY', 21400, 'fr', '21 400', '21 400 JPY'],
    ['KWD', 21.4, 'en', '21.400', 'KWD 21.400'],
    ['KWD', 1021.4, 'de', '1.021,400', '1.021,400 KWD'],
  ])('has amounts in %s with its decimals', (currency, gross, locale, amount, money) => {
    const line = { ...TEA, quantity: 1, unit_price: gross, discount: 0, net: gross, tax: 0, gross };
    const totals = { net: gross, tax: 0, gross };
    const { lines, totals: all } = plain(shown({ currency, locale, lines: [line], totals, paid: gross }));
    expect([lines[0]?.unit_price, lines[0]?.amount]).toEqual([amount, amount]);
    expect(all.find(({ weight }) => weight === 'sum')?.value).toBe(money);
  });

  it('has the discount in the prices of its lines, with VAT where these have it', () => {
    expect(shown({}).lines[0]).toMatchObject({
      unit_price: '10.70',
      amount: '19.26',
      notes: ['Discount −2.14'],
    });
    expect(shown({ prices: 'exclusive' }).lines[0]).toMatchObject({
      amount: '18.00',
      notes: ['Discount −2.00'],
    });
    const unpriced = { ...TEA, unit_price: null };
    expect(shown({ lines: [unpriced] }).lines[0]).toMatchObject({
      ...{ unit_price: '', notes: ['Discount (excl. VAT) −2.00'] },
    });
  });

  it('says why a line is not the plain price, and for which part of which period', () => {
    const share = { part: 12, of: 30, unit: 'day' } as const;
    const service_period = { start: '2026-03-20', end: '2026-03-31' };
    const credit = { ...TEA, reason: 'unused', share, service_period, discount: 0 } as const;
    const { lines } = plain(shown({ locale: 'de', lines: [credit, { ...credit, service_period: null }] }));
    expect(lines[0]?.notes).toEqual([
      'Gutschrift für nicht genutzte Tage, 12 von 30 Tagen',
      '20.–31.03.2026',
    ]);
    expect(lines[1]?.notes).toHaveLength(1);
    const seconds = { part: 1, of: 3, unit: 'second' } as const;
    expect(shown({ lines: [{ ...credit, share: seconds }] }).lines[0]?.notes[0]).toBe(
      'Credit for days not used, 33.333% of the period',
    );
  });

  it.each(LANGUAGES)('has all its words in %s', (locale) => {
    const lines = LINE_REASONS.map((reason) => ({ ...TEA, reason }));
    const english = shown({ lines });
    const view = shown({ locale, lines });
    expect(new Set(view.lines.map(({ notes }) => notes[0])).size).toBe(LINE_REASONS.length);
    if (locale === 'en') return;
    view.lines.forEach(({ notes }, index) => expect(notes[0]).not.toBe(english.lines[index]?.notes[0]));
    expect(view.page).toMatch(/\{page\}.*\{pages\}/);
  });

  it.each([
    ['AE', 'Reverse charge', 'VATEX-EU-AE', 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge)'],
    ['K', 'Intra-community supply', 'VATEX-EU-IC', 'Steuerfreie innergemeinschaftliche Lieferung'],
    ['G', 'Export outside the EU', 'VATEX-EU-G', 'Steuerfreie Ausfuhrlieferung'],
    ['O', 'Outside the scope of VAT', 'VATEX-EU-O', 'Nicht steuerbare Leistung'],
    ['E', 'Exempt from VAT for small businesses', null, 'Steuerbefreiung für Kleinunternehmer'],
    ['E', 'Article 132', null, 'Steuerfreie Leistung (Article 132)'],
  ] as const)('says of category %s why there is no VAT', (category, reason, reason_code, note) => {
    const none = { category, rate: 0, country: 'DE', reason, reason_code, net: 10, tax: 0, gross: 10 };
    expect(shown({ locale: 'de', taxes: [none] }).tax_notes).toEqual([note]);
    const [, full] = SAMPLE_INVOICE.taxes as [InvoiceTax, InvoiceTax];
    expect(plain(shown({ locale: 'de', taxes: [none, full] })).tax_notes).toEqual([`0 %: ${note}`]);
  });

  it('has nothing to say of zero rates', () => {
    const zero = {
      category: 'Z',
      rate: 0,
      country: null,
      reason: null,
      reason_code: null,
      net: 10,
      tax: 0,
      gross: 10,
    } as const;
    expect(shown({ taxes: [zero] }).tax_notes).toEqual([]);
  });

  it('names the country of each rate where one is not that of the seller', () => {
    const [lower, full] = SAMPLE_INVOICE.taxes as [InvoiceTax, InvoiceTax];
    const [tea, cup] = SAMPLE_INVOICE.lines as [InvoiceLine, InvoiceLine];
    const view = plain(
      shown({
        taxes: [lower, { ...full, country: 'FR' }],
        lines: [tea, { ...cup, tax_country: 'FR' }],
      }),
    );
    expect(view.taxes.map(({ rate }) => rate)).toEqual(['7% DE', '19% FR']);
    expect(view.lines.map(({ tax_rate }) => tax_rate)).toEqual(['7% DE', '19% FR']);
    expect(view.totals.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['VAT 7% DE', 'VAT 19% FR']),
    );
    expect(plain(shown({})).taxes.map(({ rate }) => rate)).toEqual(['7%', '19%']);
  });

  it('says how it was paid, and that nothing is due', () => {
    expect(plain(shown({})).totals.slice(-3)).toEqual([
      { label: 'Paid from your balance', value: '−€5.00', weight: 'plain' },
      { label: 'Paid by card on April 1, 2026', value: '−€26.16', weight: 'plain' },
      { label: 'Amount due', value: '€0.00', weight: 'due' },
    ]);
  });

  it('of a credit note names the invoice, and where the money went', () => {
    const preceding = { number: 'R2026-000123', issue_date: '2026-04-01' };
    const { title, facts, totals } = plain(shown({ kind: 'credit_note', locale: 'de', preceding }));
    expect(title).toBe('Rechnungskorrektur');
    expect(facts).toContainEqual({ label: 'Korrigiert Rechnung', value: 'R2026-000123, 1. April 2026' });
    expect(totals.slice(-3)).toEqual([
      { label: 'Korrekturbetrag', value: '31,16 €', weight: 'sum' },
      { label: 'Auf die Karte erstattet am 1. April 2026', value: '26,16 €', weight: 'plain' },
      { label: 'Dem Guthaben gutgeschrieben', value: '5,00 €', weight: 'plain' },
    ]);
  });

  it.each([
    ['DE', ['Lindenweg 7', '20095 Hamburg', 'HH', 'Germany']],
    ['US', ['Lindenweg 7', 'Hamburg, HH 20095', 'United States']],
    ['GB', ['Lindenweg 7', 'Hamburg', 'HH', '20095', 'United Kingdom']],
  ])('writes an address as %s does', (country, lines) => {
    const address = { ...SAMPLE_INVOICE.seller.address, ...SAMPLE_INVOICE.buyer.address };
    const buyer = { ...SAMPLE_INVOICE.buyer, address: { ...address, region: 'HH', country } };
    expect(shown({ buyer }).buyer).toMatchObject({ name: 'Ada Lovelace', address: lines });
  });

  it('names the company before the person, and whom nothing is known of by the email', () => {
    const buyer = { ...SAMPLE_INVOICE.buyer, address: null };
    const of = (change: object): unknown => {
      const { name, address } = shown({ buyer: { ...buyer, ...change } }).buyer;
      return [name, ...address];
    };
    expect(of({ company: 'Ada & Co' })).toEqual(['Ada & Co', 'Ada Lovelace']);
    expect(of({ name: null })).toEqual(['ada@example.com']);
    expect(of({ name: null, email: null })).toEqual(['K7QX2M']);
  });
});
