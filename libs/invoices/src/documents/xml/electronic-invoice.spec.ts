import fc from 'fast-check';

import type { InvoiceContent } from '../../content/invoice-content.js';
import { SAMPLE_INVOICE } from '../../content/sample-invoice.js';
import { DE } from '../texts/de.js';
import { EN } from '../texts/en.js';
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

  it.each([
    ['with a phone', { phone: '+49 30 901820' }, true],
    ['without one', { phone: null }, false],
  ])('is one within Germany for a seller %s', (_, change, isPeppol) => {
    const address = SAMPLE_INVOICE.seller.address;
    const buyer = { ...SAMPLE_INVOICE.buyer, address, vat_id: 'DE 129 273 398' };
    const content = { ...SAMPLE_INVOICE, buyer, seller: { ...SAMPLE_INVOICE.seller, ...change } };
    expect(electronicInvoice(content).isPeppol).toBe(isPeppol);
  });

  it('says reasons in the language of the document', () => {
    const taxes = [{ ...SAMPLE.taxes[0], category: 'AE', rate: 0, tax: 0, net: 18, gross: 18 }];
    const share = { part: 12, of: 30, unit: 'day' };
    const lines = [{ ...LINE, reason: 'unused', share, tax_category: 'AE', tax_rate: 0 }];
    const xml = ublOf({ ...SAMPLE, locale: 'de-AT', taxes, lines } as InvoiceContent);
    expect(xml).toContain(`<cbc:TaxExemptionReason>${DE.categories.AE ?? ''}</cbc:TaxExemptionReason>`);
    expect(xml).toContain('<cbc:TaxExemptionReasonCode>VATEX-EU-AE</cbc:TaxExemptionReasonCode>');
    expect(textsOf(xml, 'cbc:Description')).toEqual([`${DE.reasons.unused}, ${DE.days('12', '30')}`]);
    expect(textsOf(xml, 'cbc:AllowanceChargeReason')).toEqual([DE.discount]);
  });

  it('joins the reasons of one rate, and has no others beside supplies outside the scope of VAT', () => {
    const exempt = { ...{ category: 'E', rate: 0, country: 'DE', tax: 0 }, ...{ net: 0.1, gross: 0.1 } };
    const taxes = [
      { ...exempt, reason: 'Teaching', reason_code: null },
      { ...exempt, net: 0.2, gross: 0.2, reason: 'Health', reason_code: null },
      { ...exempt, category: 'O', reason: null, reason_code: 'VATEX-EU-O' },
    ];
    const all = electronicInvoice({ ...SAMPLE, taxes } as InvoiceContent);
    expect(all.taxes).toEqual([
      {
        ...{ category: 'E', percent: '0', code: null, net: '0.40', tax: '0.00' },
        reason: `Exempt from VAT (Teaching); Exempt from VAT (Health); ${EN.categories.O ?? ''}`,
      },
    ]);
    const alone = electronicInvoice({ ...SAMPLE, taxes: taxes.slice(2) } as InvoiceContent);
    expect(alone.taxes).toMatchObject([{ category: 'O', percent: null, code: 'VATEX-EU-O' }]);
    expect([alone.seller.vat_id, alone.seller.id, alone.buyer.vat_id]).toEqual([null, 'DE136695976', null]);
  });

  it('has the tax of a rate that two countries have within one unit of it, without decimals, too', () => {
    const all = fc.sample(documentsOf('two countries with one rate'), { numRuns: 3000, seed: 50 });
    const yen = all
      .filter(({ currency }) => currency === 'JPY')
      .flatMap((one) => electronicInvoice(one).taxes);
    expect(yen.length).toBeGreaterThan(500);
    const off = yen.filter(
      ({ net, tax, percent }) => Math.abs(Number(tax) - Number(net) * (Number(percent) / 100)) >= 1,
    );
    expect(off).toEqual([]);
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
          const amount =
            (Number(quantity) * Number(price)) / Number(base ?? 1) - Number(discount?.amount ?? 0);
          expect(Math.abs(amount - Number(net))).toBeLessThan(0.01);
          expect(Number(price)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 20 },
    );
  });
});
