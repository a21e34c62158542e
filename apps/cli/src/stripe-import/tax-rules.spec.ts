import type { TaxSeller } from '@commerce/kernel';

import { customerOf } from './customer-rules.js';
import { CUSTOMER, PRICE, PRODUCT, SUBSCRIPTION } from './stripe-examples.spec-data.js';
import type { StripeCustomer, StripeItem, StripeSubscription } from './stripe-objects.js';
import { taxCodeProblem, taxRefusals, type CompanyTax } from './tax-rules.js';

const GERMAN: TaxSeller = {
  country: 'DE',
  timezone: 'Europe/Berlin',
  oss: true,
  small_business: false,
  rates: [],
};
const MANUAL: CompanyTax = { behavior: 'inclusive', seller: null };
const INCLUSIVE: CompanyTax = { behavior: 'inclusive', seller: GERMAN };
const EXCLUSIVE: CompanyTax = { behavior: 'exclusive', seller: GERMAN };
const SMALL: CompanyTax = { behavior: 'exclusive', seller: { ...GERMAN, small_business: true } };

const AT = new Date('2026-02-28T10:30:00Z');
const automatic = { automatic_tax: { enabled: true } };
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
}

function refusals(company: CompanyTax, { from, price, item, customer }: Case): string[] {
  const items = [{ price: { ...PRICE, ...price }, ...item }];
  const facts = customerOf({ ...CUSTOMER, ...customer });
  return taxRefusals({ ...SUBSCRIPTION, ...from }, items, facts, company, AT);
}

describe('the tax of a subscription', () => {
  it.each<[string, CompanyTax, Case]>([
    ['none at Stripe, none here', MANUAL, {}],
    ['none at Stripe, in the price here', INCLUSIVE, {}],
    ['none at Stripe, none here for a small business', SMALL, {}],
    [
      'none at Stripe, none here for customers abroad',
      EXCLUSIVE,
      { customer: { address: { country: 'US' } } },
    ],
    ['in the price at both', INCLUSIVE, { from: automatic, price: inclusive }],
    ['in the price at both, at the same rate', INCLUSIVE, { from: rates(19, true) }],
    ['added at both, at the same rate', EXCLUSIVE, { from: rates(19, false) }],
    ['added at both, at the same rate abroad', EXCLUSIVE, { from: rates(20, false), customer: french }],
    ['added by an older version of the API', EXCLUSIVE, { from: { tax_percent: 19 } }],
    [
      'reversed at both',
      EXCLUSIVE,
      { from: rates(20, false), customer: { ...business, tax_exempt: 'reverse' } },
    ],
    [
      'that of the item goes before that of the subscription',
      EXCLUSIVE,
      { from: rates(7, false), item: { tax_rates: [{ percentage: 19, inclusive: false }] } },
    ],
  ])('is the same: %s', (_name, company, given) => {
    expect(refusals(company, given)).toEqual([]);
  });

  const unknown = 'Stripe Tax adds a tax whose rate is not in the export';

  it.each<[string, CompanyTax, Case]>([
    ['Stripe adds no tax to its prices, this company 19 %', EXCLUSIVE, {}],
    ['Stripe adds no tax to its prices, this company 20 %', EXCLUSIVE, { customer: french }],
    ['Stripe adds no tax to its prices, this company 19 %', EXCLUSIVE, { from: rates(19, true) }],
    ['Stripe adds 19 % tax to its prices, this company no', MANUAL, { from: rates(19, false) }],
    ['Stripe adds 19 % tax to its prices, this company no', INCLUSIVE, { from: rates(19, false) }],
    ['Stripe adds 9.975 % tax to its prices, this company no', MANUAL, { from: rates(9.975, false) }],
    ['Stripe adds 7 % tax to its prices, this company 19 %', EXCLUSIVE, { from: rates(7, false) }],
    ['its prices include 7 % tax at Stripe, and 19 % here', INCLUSIVE, { from: rates(7, true) }],
    [
      'its prices include a tax at Stripe, and this company has tax.mode manual',
      MANUAL,
      { from: automatic, price: inclusive },
    ],
    [unknown, EXCLUSIVE, { from: automatic }],
    [unknown, MANUAL, { from: automatic, price: { tax_behavior: 'exclusive' } }],
    [
      'its customer is exempt from tax at Stripe, and not here',
      INCLUSIVE,
      { from: rates(19, true), customer: { tax_exempt: 'exempt' } },
    ],
    ['its tax rates are not expanded', MANUAL, { from: { default_tax_rates: ['txr_1' as never] } }],
    [
      "Stripe Tax takes another country than that of its customer's address",
      INCLUSIVE,
      {
        from: automatic,
        price: inclusive,
        customer: { ...french, shipping: { address: { country: 'DE' } } },
      },
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
  ])('is another: %s', (reason, company, given) => {
    expect(refusals(company, given)).toEqual([reason]);
  });

  it('is at the standard rate for known tax codes only', () => {
    expect(taxCodeProblem(PRODUCT)).toBeNull();
    expect(taxCodeProblem({ ...PRODUCT, tax_code: 'txcd_10103001' })).toBeNull();
    expect(taxCodeProblem({ ...PRODUCT, tax_code: { id: 'txcd_35010000' } })).toContain('txcd_35010000');
    const tax_details = { tax_code: null, performance_location: 'taxloc_1' };
    expect(taxCodeProblem({ ...PRODUCT, tax_details })).toContain('where it is performed');
  });
});
