import type { InvoiceBuyer, InvoiceSeller, PostalAddress } from '../../content/invoice-content.js';

/** A seller or a buyer, as both syntaxes name it. */
export interface ElectronicParty {
  /** Given by the seller: the readable id of the buyer, or a tax number of a seller without another identifier. */
  readonly id: string | null;
  readonly name: string;
  readonly contact: ElectronicContact;
  readonly address: PostalAddress | null;
  /** With the letters of the country. */
  readonly vat_id: string | null;
  readonly tax_number: string | null;
  /** A VAT identifier without the letters of a country, of a buyer. */
  readonly legal_id: string | null;
  readonly endpoint: ElectronicAddress | null;
}

export interface ElectronicContact {
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

/** Where a network delivers documents; the scheme is one of the EAS list. */
export interface ElectronicAddress {
  readonly scheme: string;
  readonly id: string;
}

/** @param isUntaxed whether the document is outside the scope of VAT, and may name no VAT identifier */
export function electronicSeller(seller: InvoiceSeller, isUntaxed: boolean): ElectronicParty {
  const { name, address, email, phone } = seller;
  const known = vatIdOf(seller.vat_id);
  const vat_id = isUntaxed ? null : known;
  const tax_number = seller.tax_number ?? (known === null ? seller.vat_id : null);
  return {
    id: vat_id === null ? (known ?? tax_number) : null,
    name,
    contact: { name, phone, email },
    address,
    vat_id,
    tax_number,
    legal_id: null,
    endpoint: endpointOf(known, email),
  };
}

/** @param isUntaxed whether the document is outside the scope of VAT, and may name no VAT identifier */
export function electronicBuyer(buyer: InvoiceBuyer, isUntaxed: boolean): ElectronicParty {
  const { human_id, name, company, address, email } = buyer;
  const known = vatIdOf(buyer.vat_id);
  return {
    id: human_id,
    name: company ?? name ?? human_id,
    contact: { name, phone: null, email },
    address,
    vat_id: isUntaxed ? null : known,
    tax_number: null,
    legal_id: known === null ? buyer.vat_id : null,
    endpoint: endpointOf(known, email),
  };
}

/** Without spaces and punctuation; null where it does not begin with the letters of a country. */
function vatIdOf(written: string | null): string | null {
  const vatId = (written ?? '').toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return /^[A-Z]{2}.*\d/.test(vatId) ? vatId : null;
}

function endpointOf(vatId: string | null, email: string | null): ElectronicAddress | null {
  const scheme = vatId === null ? undefined : VAT_SCHEMES[vatId.slice(0, 2)];
  if (vatId !== null && scheme !== undefined) return { scheme, id: vatId };
  return email === null ? null : { scheme: 'EM', id: email };
}

/** The schemes of VAT identifiers in the EAS list, by the letters with which these begin. */
const VAT_SCHEMES: Readonly<Record<string, string>> = {
  ...{ AD: '9922', AL: '9923', AT: '9914', BA: '9924', BE: '9925', BG: '9926', CH: '9927', CY: '9928' },
  ...{ CZ: '9929', DE: '9930', EE: '9931', EL: '9933', ES: '9920', FI: '0213', FR: '9957', GB: '9932' },
  ...{ HR: '9934', HU: '9910', IE: '9935', IT: '0211', LI: '9936', LT: '9937', LU: '9938', LV: '9939' },
  ...{ MC: '9940', ME: '9941', MK: '9942', MT: '9943', NL: '9944', PL: '9945', PT: '9946', RO: '9947' },
  ...{ RS: '9948', SI: '9949', SK: '9950', SM: '9951', TR: '9952', VA: '9953' },
};
