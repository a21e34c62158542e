import { fault, fieldFault, memberStateOf, vatIdProblem, type Fault } from '@commerce/kernel';

import type { BillingData } from './billing-data.js';
import type { Seller } from './seller.js';
import type { TaxRate, TaxSettings } from './tax-settings.js';

/** The settings of a company that must fit each other, and the ones that a request gives. */
interface TaxedCompany {
  readonly tax: TaxSettings;
  readonly seller: Seller | null;
}

/**
 * Checks that tax can be decided for the seller of a company.
 * @param given the fields of the request: an error names one of them
 * @throws Fault `tax.seller_required`, `tax.seller_outside_eu`, `tax.vat_id_required`, `vat_id.invalid`
 */
export function requireTaxable({ tax, seller }: TaxedCompany, given: Partial<TaxedCompany>): void {
  checkRates(tax.rates);
  if (tax.mode === 'manual') return;
  const at = (field: string): string => (given.seller === undefined ? 'tax.mode' : field);
  if (seller === null) {
    throw refused(at('seller'), 'tax.seller_required', 'tax.mode eu needs a seller: its country decides');
  }
  const { address, vat_id } = seller;
  if (memberStateOf(address.country) === null) {
    const message = 'tax.mode eu is for sellers in the EU; elsewhere it is manual';
    throw refused(at('seller.address.country'), 'tax.seller_outside_eu', message);
  }
  if (vat_id !== null) requireVatId(vat_id, address.country, 'seller.vat_id');
  else if (!tax.small_business) {
    const message = 'tax.mode eu needs the VAT id of the seller, unless it is a small business';
    throw refused('seller.vat_id', 'tax.vat_id_required', message);
  }
}

/**
 * Checks the VAT id of a customer, whose tax is decided by it.
 * @throws Fault `vat_id.invalid`
 */
export function requireBuyerVatId(billing: BillingData | null | undefined): void {
  if (billing?.vat_id == null) return;
  requireVatId(billing.vat_id, billing.address?.country ?? null, 'billing.vat_id');
}

function requireVatId(vat_id: string, country: string | null, path: string): void {
  const problem = vatIdProblem(vat_id, country);
  if (problem !== null) throw refused(path, 'vat_id.invalid', `${path} ${problem}`);
}

function checkRates(rates: readonly TaxRate[]): void {
  const seen = new Set<string>();
  rates.forEach(({ country, tax_category, from }, index) => {
    const at = `tax.rates.${String(index)}`;
    if (memberStateOf(country) !== country) {
      throw fieldFault(`${at}.country`, `${at}.country must be a member state of the EU`);
    }
    if (!isDay(from)) throw fieldFault(`${at}.from`, `${at}.from must be a day, such as 2026-01-01`);
    const key = [country, tax_category, from].join(' ');
    if (seen.has(key)) throw fieldFault(at, `${at} is the second rate of ${key}`);
    seen.add(key);
  });
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function refused(path: string, code: string, message: string): Fault {
  return fault(code, message, { errors: [{ path, code, message }] });
}
