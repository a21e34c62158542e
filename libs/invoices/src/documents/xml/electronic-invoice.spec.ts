import fc from 'fast-check';

import { SAMPLE_INVOICE } from '../../content/sample-invoice.js';
import { ciiOf } from './cii.js';
import { TAX_CASES, documentsOf } from './electronic-documents.spec-data.js';
import { electronicInvoice } from './electronic-invoice.js';
import { ublOf } from './ubl.js';

const AT_BUYER = {
  ...SAMPLE_INVOICE.buyer,
  company: 'Café <Zentral> & Söhne',
  vat_id: 'atu 1358.5627',
  address: { ...SAMPLE_INVOICE.seller.address, city: 'Wien', country: 'AT' },
};
const SAMPLE = { ...SAMPLE_INVOICE, buyer: AT_BUYER };
const [LINE] = SAMPLE.lines;
if (LINE === undefined) throw new Error('the sample has lines');

/** The texts of all elements with this name, in order. */
const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);

describe('the XML of an invoice', () => {
  it('says amounts, rates and parties in both syntaxes, and is the same bytes each time', () => {
    const [cii, ubl] = [ciiOf(SAMPLE), ublOf(SAMPLE)];
    expect(textsOf(cii, 'ram:LineTotalAmount')).toEqual(['18.00', '10.00', '28.00']);
    expect(textsOf(ubl, 'cbc:LineExtensionAmount')).toEqual(['28.00', '18.00', '10.00']);
    expect(textsOf(cii, 'ram:GrandTotalAmount')).toEqual(['31.16']);
    expect(textsOf(ubl, 'cbc:PrepaidAmount')).toEqual(['31.16']);
    expect(textsOf(ubl, 'cbc:PayableAmount')).toEqual(['0.00']);
    expect(textsOf(ubl, 'cbc:TaxAmount')).toEqual(['3.16', '1.26', '1.90']);
    expect(textsOf(cii, 'ram:ChargeAmount')).toEqual(['10.00', '10.00']);
    expect(cii).toContain('<ram:ActualAmount>2.00</ram:ActualAmount>');
    expect(cii).toContain('<ram:Name>Café &lt;Zentral&gt; &amp; Söhne</ram:Name>');
    expect(ubl).toContain('<cbc:CompanyID>ATU13585627</cbc:CompanyID>');
    expect(ubl).toContain('<cbc:EndpointID schemeID="9914">ATU13585627</cbc:EndpointID>');
    expect([ciiOf(SAMPLE), ublOf(SAMPLE)]).toEqual([cii, ubl]);
  });

  it('is a document of Peppol only where both parties have an address there', () => {
    expect(textsOf(ublOf(SAMPLE), 'cbc:CustomizationID')).toEqual([
      'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    ]);
    const plain = ublOf(SAMPLE_INVOICE);
    expect(textsOf(plain, 'cbc:CustomizationID')).toEqual(['urn:cen.eu:en16931:2017']);
    expect(plain).toContain('<cbc:EndpointID schemeID="EM">ada@example.com</cbc:EndpointID>');
  });

  it('names the invoice that a credit note corrects', () => {
    const preceding = { number: 'R2026-000001', issue_date: '2026-03-31' };
    const content = { ...SAMPLE, kind: 'credit_note' as const, preceding };
    expect(textsOf(ciiOf(content), 'ram:TypeCode')[0]).toBe('381');
    expect(ciiOf(content)).toContain('<ram:IssuerAssignedID>R2026-000001</ram:IssuerAssignedID>');
    const ubl = ublOf(content);
    expect(ubl).toContain('<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"');
    expect(textsOf(ubl, 'cbc:CreditedQuantity')).toEqual(['2', '1']);
    expect(textsOf(ubl, 'cbc:IssueDate')).toEqual(['2026-04-01', '2026-03-31']);
  });

  it.each([
    ['what the quantity divides', { quantity: 2, subtotal: 20 }, ['2', '10.00', null]],
    ['a price of a credit', { quantity: 2, subtotal: -20 }, ['-2', '10.00', null]],
    ['what it does not divide', { quantity: 3, subtotal: 10 }, ['3', '10.00', '3']],
    ['a part', { quantity: 0.25, subtotal: 3 }, ['0.25', '12.00', null]],
    ['nothing', { quantity: 7, subtotal: 0 }, ['7', '0.00', null]],
  ])('has the net price of %s', (_, change, expected) => {
    const { lines } = electronicInvoice({ ...SAMPLE, lines: [{ ...LINE, ...change }] });
    expect(lines.map(({ quantity, price, base }) => [quantity, price, base])).toEqual([expected]);
  });

  it('has the price that was agreed where that is without VAT, though the amount is rounded', () => {
    const line = { ...LINE, quantity: 0.25, unit_price: 0.99, subtotal: 0.25 };
    const priceOf = (prices: 'inclusive' | 'exclusive'): (string | null)[] =>
      electronicInvoice({ ...SAMPLE, prices, lines: [line] }).lines.map(({ price }) => price);
    expect([...priceOf('exclusive'), ...priceOf('inclusive')]).toEqual(['0.99', '1.00']);
  });

  it.each([
    ['an address of the buyer', { buyer: { ...AT_BUYER, address: null } }, ['buyer.address']],
    ['a tax number', { seller: { ...SAMPLE.seller, vat_id: null } }, ['seller.vat_id']],
  ])('is refused without %s', (_, change, missing) => {
    for (const xmlOf of [ciiOf, ublOf]) {
      expect(() => xmlOf({ ...SAMPLE, ...change })).toThrow(
        expect.objectContaining({ code: 'invoice.incomplete', details: { missing } }),
      );
    }
  });

  it('leaves out characters that XML cannot say, and elements without a text', () => {
    const lines = [{ ...LINE, description: 'Tea\u0000 \ud800of\u0007 茶 🍵' }];
    const xml = ciiOf({ ...SAMPLE, lines, seller: { ...SAMPLE.seller, footer: ' \u0001 ' } });
    expect(xml).toContain('<ram:Name>Tea of 茶 🍵</ram:Name>');
    expect(xml).not.toContain('IncludedNote');
  });

  it('has amounts with at most two decimals in every currency', () => {
    const amountIn = (currency: string): string | undefined =>
      textsOf(ublOf({ ...SAMPLE, currency }), 'cbc:PrepaidAmount')[0];
    expect([amountIn('KWD'), amountIn('EUR')]).toEqual(['31.16', '31.16']);
    const totals = { net: 28, tax: 3, gross: 31 };
    expect(textsOf(ublOf({ ...SAMPLE, totals, currency: 'JPY' }), 'cbc:PrepaidAmount')).toEqual(['31']);
  });
});

describe('the lines of any electronic document', () => {
  it.each(Object.keys(TAX_CASES))('are quantity × price less the discount: %s', (name) => {
    fc.assert(
      fc.property(documentsOf(name), (content) => {
        for (const { quantity, price, base, discount, net } of electronicInvoice(content).lines) {
          const amount = (Number(quantity) * Number(price)) / Number(base ?? 1) - Number(discount ?? 0);
          expect(Math.abs(amount - Number(net))).toBeLessThan(0.01);
          expect(Number(price)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 20 },
    );
  });
});
