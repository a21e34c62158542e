import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import type { InvoiceContent } from '../../../libs/invoices/src/content/invoice-content.js';
import { SAMPLE_INVOICE } from '../../../libs/invoices/src/content/sample-invoice.js';
import { FONTS } from '../../../libs/invoices/src/documents/pdf/fonts.spec-data.js';
import { PdfRenderer } from '../../../libs/invoices/src/documents/pdf/pdf-renderer.js';
import { viewOfContent } from '../../../libs/invoices/src/documents/view/view-of-content.js';
import { ciiOf } from '../../../libs/invoices/src/documents/xml/cii.js';
import {
  TAX_CASES,
  documentsOf,
} from '../../../libs/invoices/src/documents/xml/electronic-documents.spec-data.js';
import { ublOf } from '../../../libs/invoices/src/documents/xml/ubl.js';
import { classPath, judge, type Verdict } from './judges.js';

const CASES = Object.keys(TAX_CASES);
/** Of each tax case; 200 documents in all. */
const EACH = Math.ceil(Number(process.env['DOCUMENTS'] ?? 200) / CASES.length);
const LONGEST_MS = 900_000;
// Another seed for each run; the one that failed is in the message, and SEED repeats it.
const seed = Number(process.env['SEED'] ?? fc.sample(fc.nat(), 1)[0]);

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

type Documents = Readonly<Record<string, string | Buffer>>;

function documentsOfAllCases(): Documents {
  const documents = CASES.flatMap((name) =>
    fc.sample(documentsOf(name), { numRuns: EACH, seed }).flatMap((content, index) => {
      const file = `${name} ${String(index)}`;
      return [
        [`${file}.cii.xml`, ciiOf(content)],
        [`${file}.ubl.xml`, ublOf(content)],
      ];
    }),
  );
  return Object.fromEntries(documents) as Documents;
}

/** Each document as PDF with its XML within it, and one of each tax case without. */
function pdfsOfAllCases(): Documents {
  const renderer = new PdfRenderer(FONTS);
  const pdfs = CASES.flatMap((name) => {
    const contents = fc.sample(documentsOf(name), { numRuns: EACH, seed });
    const [plain] = contents as [InvoiceContent];
    return [
      [`${name}.pdf`, renderer.render(viewOfContent(plain), { logo: null, xml: null })],
      ...contents.map((content, index) => [
        `${name} ${String(index)}.factur-x.pdf`,
        renderer.render(viewOfContent(content), { logo: PIXEL, xml: ciiOf(content) }),
      ]),
    ];
  });
  return Object.fromEntries(pdfs) as Documents;
}

/** Documents with one fault each. */
function wrongDocuments(): Documents {
  const { buyer, seller } = SAMPLE_INVOICE;
  const address = { ...seller.address, country: 'AT' };
  const cii = ciiOf(SAMPLE_INVOICE);
  const ubl = ublOf({ ...SAMPLE_INVOICE, buyer: { ...buyer, address, vat_id: 'ATU13585627' } });
  const view = viewOfContent(SAMPLE_INVOICE);
  const pdf = new PdfRenderer(FONTS).render(view, { logo: null, xml: cii });
  const gross = '<cbc:TaxInclusiveAmount currencyID="EUR">';
  return {
    'wrong-element.cii.xml': cii.replaceAll('ram:LineOne', 'ram:LineNone'),
    'wrong-level.factur-x.pdf': Buffer.from(
      pdf.toString('latin1').replaceAll('fx:Conformance', 'fx:Confirmance'),
      'latin1',
    ),
    'wrong-total.cii.xml': cii.replace('<ram:GrandTotalAmount>31.16', '<ram:GrandTotalAmount>31.17'),
    'wrong-address.ubl.xml': ubl.replace('schemeID="9914"', 'schemeID="EM"'),
    'wrong-element.ubl.xml': ubl.replaceAll('cbc:StreetName', 'cbc:Street'),
    'wrong-total.ubl.xml': ubl.replace(`${gross}31.16`, `${gross}31.17`),
  };
}

const jars = classPath();

(jars === null ? describe.skip : describe)('The XML and the PDF of invoices and credit notes', () => {
  let right: Documents = {};
  let verdict: Verdict = { broken: [], seen: {} };

  // One process judges all: it takes seconds to read the rules.
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-invoices-'));
    right = { ...documentsOfAllCases(), ...pdfsOfAllCases() };
    for (const [name, bytes] of Object.entries({ ...right, ...wrongDocuments() })) {
      writeFileSync(join(folder, name), bytes);
    }
    verdict = await judge(folder, jars ?? '');
    rmSync(folder, { recursive: true });
  }, LONGEST_MS);

  it('keep the rules of EN 16931, Factur-X, Peppol and PDF/A in every tax case', () => {
    const broken = verdict.broken.filter(({ file }) => file in right);
    expect({ seed, broken }).toEqual({ seed, broken: [] });
  });

  it('are seen by each judge of its kind', () => {
    const { 'UBL Peppol': peppol, ...others } = verdict.seen;
    const cii = EACH * CASES.length + 2;
    const ubl = EACH * CASES.length + 3;
    expect(others).toEqual({
      ...{ 'CII schema': cii, 'CII EN 16931': cii, 'CII Factur-X': cii },
      ...{ 'UBL schema': ubl, 'UBL EN 16931': ubl },
      ...{ 'PDF/A': cii - 1 + CASES.length, 'PDF Factur-X': cii - 1 },
    });
    expect(peppol).toBeGreaterThanOrEqual(6 * EACH);
  });

  it('are refused when they are wrong', () => {
    const broken = verdict.broken.filter(({ file }) => !(file in right));
    const rules = broken.map(({ file, judge: by, rule }) => `${file}: ${by} ${rule}`);
    expect([...new Set(rules)]).toEqual([
      'wrong-address.ubl.xml: UBL Peppol PEPPOL-EN16931-CL008',
      'wrong-element.cii.xml: CII schema XSD',
      'wrong-element.ubl.xml: UBL schema XSD',
      'wrong-level.factur-x.pdf: PDF/A 6.6.2.3.1',
      'wrong-level.factur-x.pdf: PDF Factur-X 11',
      'wrong-level.factur-x.pdf: PDF Factur-X 12',
      'wrong-total.cii.xml: CII EN 16931 BR-CO-15',
      'wrong-total.cii.xml: CII EN 16931 BR-CO-16',
      'wrong-total.cii.xml: CII Factur-X BR-CO-15',
      'wrong-total.cii.xml: CII Factur-X BR-CO-16',
      'wrong-total.ubl.xml: UBL EN 16931 BR-CO-15',
      'wrong-total.ubl.xml: UBL EN 16931 BR-CO-16',
    ]);
  });
});
