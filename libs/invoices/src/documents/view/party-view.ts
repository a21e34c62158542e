import type { InvoiceBuyer, InvoiceSeller, PostalAddress } from '../../content/invoice-content.js';
import type { DocumentTexts } from '../texts/document-texts.js';
import type { DocumentFormat } from './document-format.js';
import type { Fact, PartyView } from './document-view.js';

export function sellerView(seller: InvoiceSeller, texts: DocumentTexts, format: DocumentFormat): PartyView {
  const { name, address, vat_id, tax_number, email, phone, bank } = seller;
  return {
    name,
    address: addressLines(address, format),
    facts: factsWith([
      [texts.vat_id, vat_id],
      [texts.tax_number, tax_number],
      [texts.email, email],
      [texts.phone, phone],
      [texts.bank, bank],
    ]),
  };
}

/** The buyer, named by its company, else by its name, its email address or its id. */
export function buyerView(buyer: InvoiceBuyer, texts: DocumentTexts, format: DocumentFormat): PartyView {
  const { name, company, address, vat_id, email, human_id } = buyer;
  const [first = human_id, ...more] = withoutEmpty([company, name, email]);
  const person = company === null ? [] : more.filter((text) => text === name);
  return {
    name: first,
    address: [...person, ...(address === null ? [] : addressLines(address, format))],
    facts: factsWith([[texts.vat_id, vat_id]]),
  };
}

/** Countries that write the postal code behind the region, on one line. */
const CODE_BEHIND_REGION = new Set(['AU', 'CA', 'NZ', 'US']);
/** Countries whose postal code has a line of its own. */
const CODE_ALONE = new Set(['GB', 'IE']);

function addressLines(address: PostalAddress, format: DocumentFormat): string[] {
  const { line1, line2, country } = address;
  return withoutEmpty([line1, line2, ...townLines(address), format.country(country)]);
}

function townLines({ postal_code, city, region, country }: PostalAddress): (string | null)[] {
  if (CODE_ALONE.has(country)) return [city, region, postal_code];
  const joined = (...parts: (string | null)[]): string => withoutEmpty(parts).join(' ');
  if (CODE_BEHIND_REGION.has(country)) return [withoutEmpty([city, joined(region, postal_code)]).join(', ')];
  return [joined(postal_code, city), region];
}

function factsWith(pairs: readonly (readonly [string, string | null])[]): Fact[] {
  return pairs.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]));
}

function withoutEmpty(texts: readonly (string | null)[]): string[] {
  return texts.flatMap((text) => (text === null || text === '' ? [] : [text]));
}
