import type { InvoiceContent, InvoiceTax } from '../../content/invoice-content.js';
import type { DocumentFormat } from './document-format.js';

/** A rate, with its country where the document has VAT of another country than the seller's: `20 % FR`. */
export function rateView(
  { rate, country }: Pick<InvoiceTax, 'rate' | 'country'>,
  { taxes, seller }: Pick<InvoiceContent, 'taxes' | 'seller'>,
  format: DocumentFormat,
): string {
  const isAbroad = taxes.some((tax) => tax.rate > 0 && tax.country !== null && isOther(tax.country, seller));
  const percent = format.percent(rate);
  return isAbroad && rate > 0 && country !== null ? `${percent} ${country}` : percent;
}

function isOther(country: string, { address }: InvoiceContent['seller']): boolean {
  return country !== address.country;
}
