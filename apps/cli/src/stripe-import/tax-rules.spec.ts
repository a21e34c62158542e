import type { TaxSeller } from '@commerce/kernel';

import { customerOf } from './customer-rules.js';
import { CUSTOMER, PRICE, PRODUCT, SUBSCRIPTION } from './stripe-examples.spec-data.js';
import type { StripeCustomer, StripeItem, StripeSubscription } from './stripe-objects.js';
import { taxCodeProblem, taxOf, type CarriedTax, type CompanyTax } from './tax-rules.js';

const GERMAN: TaxSeller = {
  country: 'DE',
  timezone: 'Europe/Berlin',
  oss: true,
  small_business: false,
  rates: [],
};
const MANUAL: CompanyTax = { behavior: 'inclusive', seller: null, must_say_vat: false };
const MUST_SAY: CompanyTax = { ...MANUAL, must_say_vat: true };
const ADDING: CompanyTax = { ...MANUAL, behavior: 'exclusive' };
const INCLUSIVE: CompanyTax = { ...MANUAL, seller: GERMAN };
const EXCLUSIVE: CompanyTax = { ...ADDING, seller: GERMAN };
const SMALL: CompanyTax = { ...ADDING, seller: { ...GERMAN, small_business: true } };

const AT = new Date('2026-02-28T10:30:00Z');
const automatic = { automatic_tax: { enabled: true } };
/** Stripe Tax, and the taxes of its latest invoice; amounts in cents. */
const invoiced = (
  ...taxes: readonly (readonly [amount: number, taxable: number])[]
): Partial<StripeSubscription> => ({
  ...automatic,
  latest_invoice: {
    id: 'in_1',
    total: 1999,
    total_taxes: taxes.map(([amount, taxable_amount]) => ({ amount, taxable_amount })),
  },
});
const rates = (percentage: number, inclusive: boolean): Partial<StripeSubscription> => ({
  default_tax_rates: [{ percentage, inclusive }],
});
const inclusive = { tax_behavior: 'inclusive' };
const french = { address: { country: 'FR' } };
const business = { ...french, tax_ids: { data: [{ type: 'eu_vat', value: 'FR40303265045' }] } };

interface Case {
  readonly from?: Partial<StripeSubscription>;
  readonly price?: object;
  readonly item?: Partial<StripeItem>;
  readonly customer?: Partial<StripeCustomer>;
  readonly others?: readonly StripeItem[];
}

function found(
  company: CompanyTax,
  { from, price, item, customer, others = [] }: Case,
): CarriedTax | string[] {
  const items = [{ price: { ...PRICE, ...price }, ...item }, ...others];
  const facts = customerOf({ ...CUSTOMER, ...customer });
  return taxOf({ ...SUBSCRIPTION, ...from }, items, facts, company, AT);
}

describe('the tax of a subscription, by the rules of the EU', () => {
  it.each<[string, CompanyTax, Case, number]>([
    ['none at Stripe, in the price here', INCLUSIVE, {}, 0],
    ['none at Stripe, none here for a small business', SMALL, {}, 0],
    [
      'none at Stripe, none here for customers abroad',
      EXCLUSIVE,
      { customer: { address: { country: 'US' } } },
      0,
    ],
    ['in the price at both', INCLUSIVE, { from: automatic, price: inclusive }, 0],
    [
      'in the price at both, as the latest invoice shows',
      INCLUSIVE,
      { from: invoiced([319, 1680]), price: inclusive },
      0,
    ],
    ['in the price at both, at the same rate', INCLUSIVE, { from: rates(19, true) }, 0],
    ['added at both, at the same rate', EXCLUSIVE, { from: rates(19, false) }, 0.19],
    ['added at both, as the latest invoice shows', EXCLUSIVE, { from: invoiced([380, 1999]) }, 0.19],
    [
      'reversed at both, as the latest invoice shows',
      EXCLUSIVE,
      { from: invoiced([0, 0]), customer: business },
      0,
    ],
    [
      'added at both, as an older invoice shows',
      EXCLUSIVE,
      {
        from: {
          ...automatic,
          latest_invoice: {
            id: 'in_1',
            total: 2379,
            total_tax_amounts: [{ amount: 380, taxable_amount: 1999 }],
          },
        },
      },
      0.19,
    ],
    ['added at both, at the same rate abroad', EXCLUSIVE, { from: rates(20, false), customer: french }, 0.2],
    ['added by an older version of the API', EXCLUSIVE, { from: { tax_percent: 19 } }, 0.19],
    [
      'reversed at both',
      EXCLUSIVE,
      { from: rates(20, false), customer: { ...business, tax_exempt: 'reverse' } },
      0,
    ],
    [
      'that of the item goes before that of the subscription',
      EXCLUSIVE,
      { from: rates(7, false), item: { tax_rates: [{ percentage: 19, inclusive: false }] } },
      0.19,
    ],
  ])('is the same: %s', (_name, company, given, added) => {
    expect(found(company, given)).toEqual({ vat: null, has_own_vat: false, added });
  });

  const unknown = 'Stripe Tax adds a tax that its latest invoice does not show: expand latest_invoice';
  const another = (rate: string): string =>
    `Stripe Tax found another tax for its latest invoice than this company: ${rate}`;

  it.each<[string, CompanyTax, Case]>([
    ['Stripe adds no tax to its prices, this company 19 %', EXCLUSIVE, {}],
    ['Stripe adds no tax to its prices, this company 20 %', EXCLUSIVE, { customer: french }],
    ['Stripe adds no tax to its prices, this company 19 %', EXCLUSIVE, { from: rates(19, true) }],
    ['Stripe adds 19 % tax to its prices, this company no', INCLUSIVE, { from: rates(19, false) }],
    ['Stripe adds 7 % tax to its prices, this company 19 %', EXCLUSIVE, { from: rates(7, false) }],
    ['its prices include 7 % tax at Stripe, and 19 % here', INCLUSIVE, { from: rates(7, true) }],
    [unknown, EXCLUSIVE, { from: automatic }],
    [unknown, EXCLUSIVE, { from: { ...automatic, latest_invoice: 'in_1' } }],
    [unknown, EXCLUSIVE, { from: { ...invoiced([0, 0]), latest_invoice: { id: 'in_1', total: 0 } } }],
    [unknown, EXCLUSIVE, { from: invoiced() }],
    [another('19 %'), EXCLUSIVE, { from: invoiced([140, 1999]) }],
    [another('20 %'), EXCLUSIVE, { from: invoiced([380, 1999]), customer: french }],
    [another('19 %'), INCLUSIVE, { from: invoiced([131, 1868]), price: inclusive }],
    [
      'its customer is exempt from tax at Stripe, and not here',
      INCLUSIVE,
      { from: rates(19, true), customer: { tax_exempt: 'exempt' } },
    ],
    [
      "Stripe Tax takes another country than that of its customer's address",
      INCLUSIVE,
      {
        from: automatic,
        price: inclusive,
        customer: { ...french, shipping: { address: { country: 'DE' } } },
      },
    ],
  ])('is another: %s', (reason, company, given) => {
    expect(found(company, given)).toEqual([reason]);
  });
});

describe('the tax of a subscription, by hand', () => {
  it.each<[string, CompanyTax, Case, CarriedTax]>([
    ['none', MANUAL, {}, { vat: null, has_own_vat: false, added: 0 }],
    ['none that is said, where it must be', MUST_SAY, {}, { vat: null, has_own_vat: true, added: 0 }],
    ['a rate of 0', MUST_SAY, { from: rates(0, true) }, { vat: 0, has_own_vat: true, added: 0 }],
    ['in the price', MANUAL, { from: rates(19, true) }, { vat: 0.19, has_own_vat: true, added: 0 }],
    ['added', ADDING, { from: rates(9.975, false) }, { vat: 0.09975, has_own_vat: true, added: 0.09975 }],
    [
      'none for an exempt customer',
      MUST_SAY,
      { from: rates(19, false), customer: { tax_exempt: 'exempt' } },
      { vat: 0, has_own_vat: true, added: 0 },
    ],
    [
      'of all items',
      MANUAL,
      { from: rates(19, true), others: [{ price: PRICE }] },
      { vat: 0.19, has_own_vat: true, added: 0 },
    ],
  ])('becomes that of the plan: %s', (_name, company, given, tax) => {
    expect(found(company, given)).toEqual(tax);
  });

  it.each<[string, CompanyTax, Case]>([
    [
      'Stripe adds 19 % tax to its prices, and those of this company include it',
      MANUAL,
      { from: rates(19, false) },
    ],
    ['its prices include 19 % tax at Stripe, and this company adds it', ADDING, { from: rates(19, true) }],
    [
      'Stripe Tax decides its tax, and this company has tax.mode manual',
      MANUAL,
      { from: invoiced([319, 1680]), price: inclusive },
    ],
    [
      'its customer is exempt from a tax that its prices include',
      MANUAL,
      { from: rates(19, true), customer: { tax_exempt: 'exempt' } },
    ],
    [
      'its items have different taxes',
      MANUAL,
      {
        from: rates(19, true),
        others: [{ price: PRICE, tax_rates: [{ percentage: 7, inclusive: true }] }],
      },
    ],
    ['its tax rates are not expanded', MANUAL, { from: { default_tax_rates: ['txr_1' as never] } }],
    [
      'its tax rate is an amount, not a percentage',
      MANUAL,
      { from: { default_tax_rates: [{ percentage: 0, rate_type: 'flat_amount' } as object] } },
    ],
    [
      'its tax rate has a field that is not understood: compounds',
      MANUAL,
      { from: { default_tax_rates: [{ percentage: 5, inclusive: true, compounds: true } as object] } },
    ],
    [
      'its tax rates are inclusive and exclusive',
      MANUAL,
      {
        item: {
          tax_rates: [
            { percentage: 5, inclusive: true },
            { percentage: 5, inclusive: false },
          ],
        },
      },
    ],
  ])('stays at Stripe: %s', (reason, company, given) => {
    expect(found(company, given)).toEqual([reason]);
  });
});

describe('a tax code', () => {
  it('is of the standard rate where it is known', () => {
    expect(taxCodeProblem(PRODUCT)).toBeNull();
    expect(taxCodeProblem({ ...PRODUCT, tax_code: 'txcd_10103001' })).toBeNull();
    expect(taxCodeProblem({ ...PRODUCT, tax_code: { id: 'txcd_35010000' } })).toContain('txcd_35010000');
    const tax_details = { tax_code: null, performance_location: 'taxloc_1' };
    expect(taxCodeProblem({ ...PRODUCT, tax_details })).toContain('where it is performed');
  });
});
