import { memberStateOf } from '@commerce/kernel';

/** The member states whose currency is not the euro. */
const OTHERS: Readonly<Record<string, string>> = {
  ...{ CZ: 'CZK', DK: 'DKK', HU: 'HUF' },
  ...{ PL: 'PLN', RO: 'RON', SE: 'SEK' },
};

/** The currency in which invoices of a seller in the EU state VAT (Art. 230 of the VAT directive); null outside the EU. */
export function vatCurrencyOf(country: string): string | null {
  const member = memberStateOf(country);
  return member === null ? null : (OTHERS[member] ?? 'EUR');
}
