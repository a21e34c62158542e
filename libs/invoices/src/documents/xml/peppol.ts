import type { InvoicePayment } from '../../content/invoice-content.js';
import type { ElectronicParty } from './electronic-party.js';

/**
 * Whether Peppol can carry a document between these parties: both have an address in the network, which are VAT
 * identifiers here, and the data that the rules of their countries add.
 */
export function isForPeppol(seller: ElectronicParty, buyer: ElectronicParty, isUntaxed: boolean): boolean {
  if (!isAddressable(seller) || !isAddressable(buyer)) return false;
  switch (seller.address?.country ?? '') {
    case 'DE':
      return buyer.address?.country !== 'DE' || (isGermanSeller(seller) && hasTown(buyer) && !isUntaxed);
    // The authority gives each document a mark there.
    case 'GR':
      return false;
    case 'IT':
      return hasTown(seller) && /^$|^[A-Z0-9]{11,16}$/.test(seller.tax_number ?? '');
    case 'NL':
      return hasTown(seller) && (buyer.address?.country !== 'NL' || hasTown(buyer));
    default:
      return true;
  }
}

function isAddressable({ endpoint }: ElectronicParty): boolean {
  return endpoint !== null && endpoint.scheme !== 'EM';
}

function isGermanSeller(seller: ElectronicParty): boolean {
  const { phone, email } = seller.contact;
  return phone !== null && email !== null && hasTown(seller);
}

function hasTown({ address }: ElectronicParty): boolean {
  return (address?.city ?? '') !== '' && (address?.postal_code ?? '') !== '';
}

/** Of UNCL 4461: an online payment service, a clearing between partners, no means. */
const MEANS: Readonly<Record<InvoicePayment['method'], string>> = {
  card: '68',
  card_and_balance: '68',
  balance: '97',
  none: '1',
};
/** Among parties of the Netherlands; other means of ours are not allowed there. */
const BANK_CARD = '48';

/** The code of the means of payment; null where none may be named. */
export function paymentMeans(
  method: InvoicePayment['method'],
  seller: ElectronicParty,
  buyer: ElectronicParty,
): string | null {
  const isDutch = [seller, buyer].every(({ address }) => address?.country === 'NL');
  if (!isDutch) return MEANS[method];
  return MEANS[method] === MEANS.card ? BANK_CARD : null;
}
