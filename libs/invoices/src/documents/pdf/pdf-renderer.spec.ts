import fc from 'fast-check';
import { extractText, getDocumentProxy } from 'unpdf';

import type { InvoiceContent } from '../../content/invoice-content.js';
import { SAMPLE_INVOICE } from '../../content/sample-invoice.js';
import { viewOfContent } from '../view/view-of-content.js';
import { FONTS } from './fonts.spec-data.js';
import { PdfRenderer } from './pdf-renderer.js';

/** Letters that change with their neighbours, marks, and characters that nothing shows. */
const SIGNS = [
  'a',
  ' ',
  'ب',
  'ه',
  'ש',
  '\u0301',
  '\u0651',
  '茶',
  '차',
  '\u200c',
  '\u200d',
  '\ufe0f',
  '\u202e',
  '\u0e01',
];

const renderer = new PdfRenderer(FONTS);
const NOTHING = { logo: null, xml: null };

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

function pdfOf(
  change: Partial<InvoiceContent>,
  parts: Partial<Parameters<PdfRenderer['render']>[1]> = {},
): Buffer {
  return renderer.render(viewOfContent({ ...SAMPLE_INVOICE, ...change }), { ...NOTHING, ...parts });
}

/** The text of each page, as an independent reader finds it, with plain spaces. */
async function pagesOf(pdf: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: false });
  return text.map((page) => page.replace(/\s+/gu, ' '));
}

describe('the PDF of a document', () => {
  it('has all that its view has', async () => {
    const { buyer } = SAMPLE_INVOICE;
    const [page = ''] = await pagesOf(
      pdfOf({ locale: 'de', buyer: { ...buyer, company: 'A <b>#[x]$&\\"' } }),
    );
    const { title, number, seller, facts, lines, totals } = viewOfContent({
      ...SAMPLE_INVOICE,
      locale: 'de',
    });
    const texts = [
      ...[title, number, seller.name, ...seller.address, 'A <b>#[x]$&\\"', 'Seite 1 von 1'],
      ...[...facts, ...seller.facts, ...totals].flatMap(({ label, value }) => [label, value]),
      ...lines.flatMap(({ notes, ...line }) => [...Object.values(line), ...notes] as string[]),
    ];
    for (const text of texts) expect(page).toContain(text.replace(/\s+/gu, ' '));
  });

  it('is the same bytes at each time', () => {
    const parts = { logo: PIXEL, xml: '<a/>' };
    const first = pdfOf({}, parts);
    pdfOf({ locale: 'fr' });
    expect(pdfOf({}, parts).equals(first)).toBe(true);
    expect(new PdfRenderer(FONTS).render(viewOfContent(SAMPLE_INVOICE), parts).equals(first)).toBe(true);
  });

  it('contains the XML as Factur-X wants it', async () => {
    const xml = '<?xml version="1.0"?><a>ä</a>';
    const pdf = pdfOf({}, { xml });
    const proxy = await getDocumentProxy(new Uint8Array(pdf));
    const attached: any = await proxy.getAttachments();
    expect(Object.keys(attached)).toEqual(['factur-x.xml']);
    expect(Buffer.from(attached['factur-x.xml'].content).toString()).toBe(xml);
    const { metadata } = await proxy.getMetadata();
    const raw: string = (metadata as any).getRaw();
    expect(raw).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>');
    expect(raw.match(/<pdfaExtension:schemas>/g)).toHaveLength(1);
    const text = pdf.toString('latin1');
    expect(text).toMatch(/\/AFRelationship \/Alternative/);
    expect(pdfOf({}).toString('latin1')).not.toContain('/EmbeddedFile');
  });

  it('repeats the head of the table, and numbers the pages, of 1,000 lines', async () => {
    const [line] = SAMPLE_INVOICE.lines;
    const lines = Array.from({ length: 1000 }, (_, index) => ({
      ...line!,
      description: `Tea no. ${String(index + 1)};`,
    }));
    const pages = await pagesOf(pdfOf({ lines }));
    expect(pages.length).toBeGreaterThan(20);
    pages.slice(0, -1).forEach((page, index) => {
      expect(page).toContain('Description');
      expect(page).toContain(`Page ${String(index + 1)} of ${String(pages.length)}`);
    });
    const all = pages.join(' ');
    for (const { description } of lines) expect(all).toContain(description);
    expect(pages.at(-1)).toContain('Amount due');
  });

  it.each([
    ['Chinese', '杭州龙井茶叶有限公司'],
    ['Japanese', '株式会社みどり茶カフェ'],
    ['Korean', '주식회사 녹차'],
    ['Greek', 'Τσάι και Σία Α.Ε.'],
    ['Russian', 'ООО «Чайный дом»'],
    ['Hindi', 'चाय घर'],
  ])('has names in %s', async (_, name) => {
    const [page] = await pagesOf(pdfOf({ buyer: { ...SAMPLE_INVOICE.buyer, company: name } }));
    expect(page).toContain(name);
  });

  it.each([
    ['Arabic', 'شركة الشاي العربية'],
    ['Persian', 'شرکت چای تهران'],
    ['Hebrew', 'בית התה בירושלים'],
  ])('has names in %s, whose words run from right to left', async (_, name) => {
    const [page] = await pagesOf(pdfOf({ buyer: { ...SAMPLE_INVOICE.buyer, company: name } }));
    // The reader gives each word in the order of reading, and the words as they stand on paper.
    expect(page?.normalize('NFKC')).toContain(name.split(' ').toReversed().join(' '));
  });

  it('shows a mark for signs that no font has, and leaves out pictures', async () => {
    const [page] = await pagesOf(
      pdfOf({ buyer: { ...SAMPLE_INVOICE.buyer, company: 'Tea ☕👩‍🌾 \u{1F1E9}\u{1F1EA} ᚠ\u0007x' } }),
    );
    expect(page).toContain('Tea \ufffdx');
  });

  it('can be made of any texts', () => {
    const { seller, buyer, lines } = SAMPLE_INVOICE;
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }),
      fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
      fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom(...SIGNS) }),
    );
    fc.assert(
      fc.property(text, text, (one, two) => {
        const pdf = pdfOf({
          seller: {
            ...seller,
            name: one,
            footer: two,
            bank: one,
            address: { ...seller.address, line2: two },
          },
          buyer: { ...buyer, company: one, name: two },
          lines: lines.map((line) => ({ ...line, description: one + two })),
        });
        expect(pdf.toString('latin1', 0, 5)).toBe('%PDF-');
      }),
      { numRuns: 60 },
    );
  });
});
