import {
  groupByTax,
  toMinor,
  vatLines,
  vatOfShares,
  type TaxShare,
  type VatLine,
  type VatMinor,
} from '@commerce/kernel';

/** A part of a breakdown with the VAT in it; parts of charges whose rates are set by hand may lack it. */
interface TaxedPart {
  readonly amount: number;
  readonly vat?: readonly VatLine[];
}

/** The field `vat` of a part; left out where nothing was decided about its tax. */
export function vatField(
  amount_minor: number,
  taxes: readonly TaxShare[] | undefined,
  currency: string,
): { readonly vat?: readonly VatLine[] } {
  if (taxes === undefined) return {};
  return { vat: vatLines(vatOfShares(amount_minor, taxes, 'inclusive', currency), currency) };
}

/** The field `taxes` of what was charged by these parts; left out where the tax of one of them was not decided. */
export function taxesField(
  parts: readonly TaxedPart[],
  currency: string,
): { readonly taxes?: readonly TaxShare[] } {
  const charged = parts.filter(({ amount }) => amount !== 0);
  const lines = charged.flatMap(({ vat = [] }) => vat);
  const isDecided = charged.every(
    ({ vat = [] }) => vat.length > 0 && vat.every(({ tax }) => tax !== undefined),
  );
  if (lines.length === 0 || !isDecided) return {};
  const shares = lines.map(({ rate, tax, gross }) => ({ rate, tax, weight: toMinor(gross, currency) }));
  // A group of which more was credited than charged has no share in the rest.
  return { taxes: groupByTax(shares).map((share) => ({ ...share, weight: Math.max(0, share.weight) })) };
}

/** The taxes of a debt to which another one is added; undefined where those of either are not known. */
export function addedTaxes(
  debt_minor: number,
  taxes: readonly TaxShare[] | undefined,
  added: readonly TaxShare[] | undefined,
): readonly TaxShare[] | undefined {
  if (debt_minor === 0) return added;
  return taxes === undefined || added === undefined ? undefined : groupByTax([...taxes, ...added]);
}

/** VAT as a part stores it, in minor units. */
export function vatOfPart(vat: readonly VatLine[] | undefined, currency: string): VatMinor[] {
  return (vat ?? []).map(({ rate, tax, net, vat: included, gross }) => ({
    ...{ rate, tax },
    net_minor: toMinor(net, currency),
    vat_minor: toMinor(included, currency),
    gross_minor: toMinor(gross, currency),
  }));
}
