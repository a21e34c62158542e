import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { SAMPLE_INVOICE } from '../../../libs/invoices/src/content/sample-invoice.js';
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
const LONGEST_MS = 600_000;
// Another seed for each run; the one that failed is in the message, and SEED repeats it.
const seed = Number(process.env['SEED'] ?? fc.sample(fc.nat(), 1)[0]);

type Documents = Readonly<Record<string, string>>;

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

/** Documents with one fault each. */
function wrongDocuments(): Documents {
  const { buyer, seller } = SAMPLE_INVOICE;
  const address = { ...seller.address, country: 'AT' };
  const cii = ciiOf(SAMPLE_INVOICE);
  const ubl = ublOf({ ...SAMPLE_INVOICE, buyer: { ...buyer, address, vat_id: 'ATU13585627' } });
  const gross = '<cbc:TaxInclusiveAmount currencyID="EUR">';
  return {
    'wrong-element.cii.xml': cii.replaceAll('ram:LineOne', 'ram:LineNone'),
    'wrong-total.cii.xml': cii.replace('<ram:GrandTotalAmount>31.16', '<ram:GrandTotalAmount>31.17'),
    'wrong-address.ubl.xml': ubl.replace('schemeID="9914"', 'schemeID="EM"'),
    'wrong-element.ubl.xml': ubl.replaceAll('cbc:StreetName', 'cbc:Street'),
    'wrong-total.ubl.xml': ubl.replace(`${gross}31.16`, `${gross}31.17`),
  };
}

const jars = classPath();

(jars === null ? describe.skip : describe)('The XML of invoices and credit notes', () => {
  let right: Documents = {};
  let verdict: Verdict = { broken: [], seen: {} };

  // One process judges all: it takes seconds to read the rules.
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-invoices-'));
    right = documentsOfAllCases();
    for (const [name, xml] of Object.entries({ ...right, ...wrongDocuments() })) {
      writeFileSync(join(folder, name), xml);
    }
    verdict = await judge(folder, jars ?? '');
    rmSync(folder, { recursive: true });
  }, LONGEST_MS);

  it('keeps the rules of EN 16931, Factur-X and Peppol in every tax case', () => {
    const broken = verdict.broken.filter(({ file }) => file in right);
    expect({ seed, broken }).toEqual({ seed, broken: [] });
  });

  it('is seen by each judge of its kind', () => {
    const { 'UBL Peppol': peppol, ...others } = verdict.seen;
    const cii = EACH * CASES.length + 2;
    const ubl = EACH * CASES.length + 3;
    expect(others).toEqual({
      ...{ 'CII schema': cii, 'CII EN 16931': cii, 'CII Factur-X': cii },
      ...{ 'UBL schema': ubl, 'UBL EN 16931': ubl },
    });
    expect(peppol).toBeGreaterThanOrEqual(6 * EACH);
  });

  it('is refused when it is wrong', () => {
    const broken = verdict.broken.filter(({ file }) => !(file in right));
    expect(broken.map(({ file, judge: by, rule }) => `${file}: ${by} ${rule}`)).toEqual([
      'wrong-address.ubl.xml: UBL Peppol PEPPOL-EN16931-CL008',
      'wrong-element.cii.xml: CII schema XSD',
      'wrong-element.ubl.xml: UBL schema XSD',
      'wrong-total.cii.xml: CII EN 16931 BR-CO-15',
      'wrong-total.cii.xml: CII EN 16931 BR-CO-16',
      'wrong-total.cii.xml: CII Factur-X BR-CO-15',
      'wrong-total.cii.xml: CII Factur-X BR-CO-16',
      'wrong-total.ubl.xml: UBL EN 16931 BR-CO-15',
      'wrong-total.ubl.xml: UBL EN 16931 BR-CO-16',
    ]);
  });
});
