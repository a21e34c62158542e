import {
  decideTax,
  priceLines,
  vatOfShares,
  type PriceLine,
  type ProductTaxCategory,
  type TaxBehavior,
  type TaxBuyer,
  type TaxSeller,
  type TaxShare,
  type TaxSupply,
  type TaxedProduct,
  type VatMinor,
} from '@commerce/kernel';

import type { Id } from '@commerce/records';

import { NO_PRODUCT, type PlanPriceInput } from '../domain/pricing/pricing.js';
import type { SetupFee } from '../domain/pricing/terms.js';

/** The parties to a charge, and the start of the period that it is for. */
export interface PlanTax {
  readonly seller: TaxSeller;
  readonly buyer: TaxBuyer;
  readonly at: Date;
}

type TaxedProducts = ReadonlyMap<
  string,
  { readonly tax_category: ProductTaxCategory; readonly tax_supply: TaxSupply | null }
>;

/** The products of a plan, and the category of one without. */
interface TaxedContent {
  readonly products: TaxedProducts;
  readonly tax_category: ProductTaxCategory | null;
}

/** The inputs of a plan's price with the VAT that the plan itself has, where it has no items. */
export function ownTaxedPrice(
  input: PlanPriceInput,
  { _id, vat }: { readonly _id: Id; readonly vat: number | null },
  mustSayVat: boolean,
): PlanPriceInput {
  if (input.items.length > 0) return input;
  if (vat !== null) return ofOneLine(input, { vat });
  return mustSayVat ? { ...input, untaxed_plan: _id.toHexString() } : input;
}

/** The inputs of a plan's price with decided rates in place of those of its products. */
export function taxedPrice(
  input: PlanPriceInput,
  { products, tax_category }: TaxedContent,
  tax: PlanTax,
): PlanPriceInput {
  const { total_amount, tax_behavior } = input;
  const decided = (product: TaxedProduct): ReturnType<typeof decideTax> =>
    decideTax(tax.seller, tax.buyer, product, tax.at);
  if (input.items.length === 0) {
    const own = { tax_category: tax_category ?? 'standard', tax_supply: 'services' } as const;
    return ofOneLine(input, decided(own));
  }
  const items = input.items.map((line): PriceLine => {
    const sub_products = line.sub_products.map((sub) => ({
      ...sub,
      ...decided(taxedInPlans(products, sub.product)),
    }));
    return { ...line, ...decided(taxedInPlans(products, line.product)), sub_products };
  });
  if (total_amount === null || tax_behavior === 'inclusive') return { ...input, items };
  return { ...input, items, tax_on_total: true };
}

/** A price set by hand as that of one thing, so that its tax is in it, or added, like that of a product. */
function ofOneLine(input: PlanPriceInput, tax: Pick<PriceLine, 'vat' | 'tax'>): PlanPriceInput {
  const price = input.total_amount ?? 0;
  const line = { product: NO_PRODUCT, price, discount: 0, quantity: 1, item_discount: 0, sub_products: [] };
  return { ...input, total_amount: null, items: [{ ...line, ...tax }] };
}

/** The setup fee of a plan, taxed as its price is. */
export function taxedSetupFee(fee_minor: number, price: PlanPriceInput): SetupFee {
  const vat = vatOfAmount(fee_minor, price);
  return { amount_minor: grossOf(vat), taxes: sharesOf(vat, 'inclusive') };
}

/** The VAT of an amount beside the items, which is divided among their rates in proportion to their prices. */
function vatOfAmount(minor: number, { currency, tax_behavior, items }: PlanPriceInput): VatMinor[] {
  const { vat } = priceLines({ currency, tax_behavior, lines: items });
  return vatOfShares(minor, sharesOf(vat, tax_behavior), tax_behavior, currency);
}

function sharesOf(vat: readonly VatMinor[], behavior: TaxBehavior): TaxShare[] {
  return vat.map(({ rate, tax, net_minor, gross_minor }) => {
    return { rate, tax, weight: behavior === 'exclusive' ? net_minor : gross_minor };
  });
}

function grossOf(vat: readonly VatMinor[]): number {
  return vat.reduce((sum, { gross_minor }) => sum + gross_minor, 0);
}

/** A plan is a service at the standard rate, unless its product says otherwise. */
function taxedInPlans(products: TaxedProducts, id: string): TaxedProduct {
  const product = products.get(id);
  return {
    tax_category: product?.tax_category ?? 'standard',
    tax_supply: product?.tax_supply ?? 'services',
  };
}
