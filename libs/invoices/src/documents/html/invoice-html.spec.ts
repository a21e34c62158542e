import fc from 'fast-check';

import { SAMPLE_INVOICE } from '../../content/sample-invoice.js';
import { viewOfContent } from '../view/view-of-content.js';
import { invoiceHtml } from './invoice-html.js';

/** The tags of a page, without the text between them. */
const tagsOf = (page: string): string[] =>
  (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/(alt)="[^"]*"/, '$1'));

describe('the HTML of a document', () => {
  it('has the same markup, and every text in it, whatever is given', () => {
    const { seller, buyer, lines } = SAMPLE_INVOICE;
    const page = (text: string): string =>
      invoiceHtml(
        viewOfContent({
          ...SAMPLE_INVOICE,
          seller: {
            ...seller,
            name: text,
            footer: text,
            bank: text,
            address: { ...seller.address, line2: text },
          },
          buyer: { ...buyer, company: text, vat_id: text },
          lines: lines.map((line) => ({ ...line, description: text })),
        }),
        'data:image/png;base64,AA==',
      );
    const expected = tagsOf(page('x'));
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
      fc.stringMatching(/^[<>"'&;/a-z=! -]{1,40}$/),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(tagsOf(page(given))).toEqual(expected);
      }),
    );
  });
});
