import type { TaxBasis, TaxRule, TaxShare } from '../pricing/supply.js';
import { localDay } from '../time/local-time.js';
import { RATED_CATEGORIES, type TaxBuyer, type TaxedProduct, type TaxSeller } from './tax-terms.js';
import { memberStateOf } from './vat-area.js';
import { isNorthernIrish, isVatIdOf } from './vat-id.js';
import { rateOn } from './vat-rates.js';

/** The rate of a product, and the basis of it: fields of what is priced. */
export interface DecidedTax {
  readonly vat: number;
  readonly tax: TaxBasis;
}

/**
 * Decides the VAT of a product that a seller in the EU sells to a buyer. Where the buyer is, follows from a VAT id that
 * counts, else from the address; one that needs evidence has the higher of its rate and that of the card's country.
 * @param at the start of the billing period, or the date of the order
 * @throws RangeError where the seller is outside the EU
 */
export function decideTax(seller: TaxSeller, buyer: TaxBuyer, product: TaxedProduct, at: Date): DecidedTax {
  const decided = decideByCountry(seller, buyer, product, at);
  const { country, card_country } = buyer;
  if (card_country === undefined || decided.tax.vat_id !== undefined) return decided;
  const evidence = { country: card_country ?? seller.country, vat_id: null };
  const other = decideByCountry(seller, evidence, product, at);
  if (other.vat <= decided.vat) return decided;
  return { vat: other.vat, tax: { ...other.tax, contradicts: country ?? seller.country } };
}

/**
 * Whether the country of a card contradicts the address by which a rate was decided: a price that needs evidence is then
 * too low for this card. The category of the product follows from the rate.
 * @param at the date of the price
 */
export function contradictsTax(
  seller: TaxSeller,
  { card_country }: TaxBuyer,
  { rate, tax }: Pick<TaxShare, 'rate' | 'tax'>,
  at: Date,
): boolean {
  if (card_country === undefined || tax === undefined || tax.vat_id !== undefined) return false;
  if (tax.rule === 'exempt' || tax.rule === 'small_business') return false;
  const day = localDay(at, seller.timezone);
  const rated = RATED_CATEGORIES.find((one) => rateOn(tax.country, one, day, seller.rates).rate === rate);
  const tax_category = rated ?? 'standard';
  const evidence = { country: card_country ?? seller.country, vat_id: null };
  const other = decideByCountry(seller, evidence, { tax_category, tax_supply: 'services' }, at);
  return other.vat > rate;
}

function decideByCountry(seller: TaxSeller, buyer: TaxBuyer, product: TaxedProduct, at: Date): DecidedTax {
  const home = memberStateOf(seller.country);
  if (home === null) throw new RangeError(`${seller.country} is outside the EU`);
  if (seller.small_business) return untaxed('small_business', home);
  const country = buyer.country ?? seller.country;
  const member = memberStateOf(country);
  const isGoods = product.tax_supply === 'goods';
  if (member === null) {
    if (!isGoods) return untaxed('outside_scope', country);
    return isInNorthernIreland(country, buyer)
      ? untaxed('intra_community', country, buyer.vat_id)
      : untaxed('export', country);
  }
  const { tax_category } = product;
  if (tax_category === 'exempt') return untaxed('exempt', member);
  const taxed = (rule: TaxRule, place: string): DecidedTax => {
    const { rate, stands_in } = rateOn(place, tax_category, localDay(at, seller.timezone), seller.rates);
    const category = rate > 0 ? 'S' : 'Z';
    const tax = { category, rule, country: place, reason: null, reason_code: null } as const;
    return { vat: rate, tax: stands_in ? { ...tax, standard_for: tax_category } : tax };
  };
  if (member === home) return taxed('domestic', home);
  if (buyer.vat_id !== null && isVatIdOf(buyer.vat_id, member)) {
    return untaxed(isGoods ? 'intra_community' : 'reverse_charge', country, buyer.vat_id);
  }
  return seller.oss ? taxed('oss', member) : taxed('origin', home);
}

/** The rules without VAT: their categories of EN 16931, and the reasons in words and as codes of the VATEX list. */
const UNTAXED = {
  small_business: ['E', 'Exempt from VAT for small businesses', null],
  exempt: ['E', 'Exempt from VAT', null],
  reverse_charge: ['AE', 'Reverse charge', 'VATEX-EU-AE'],
  intra_community: ['K', 'Intra-community supply', 'VATEX-EU-IC'],
  export: ['G', 'Export outside the EU', 'VATEX-EU-G'],
  outside_scope: ['O', 'Not subject to VAT', 'VATEX-EU-O'],
} as const;

function untaxed(rule: keyof typeof UNTAXED, country: string, vat_id: string | null = null): DecidedTax {
  const [category, reason, reason_code] = UNTAXED[rule];
  const tax = { category, rule, country, reason, reason_code };
  return { vat: 0, tax: vat_id === null ? tax : { ...tax, vat_id } };
}

function isInNorthernIreland(country: string, { vat_id }: TaxBuyer): boolean {
  return country === 'GB' && vat_id !== null && isNorthernIrish(vat_id);
}
