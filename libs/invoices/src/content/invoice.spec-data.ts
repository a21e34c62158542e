import {
  SUPPLY_REASONS,
  minorStep,
  multiplyRatio,
  ratio,
  ratioOfDecimal,
  roundMoney,
  taxOfRate,
  type Supply,
  type SupplyTax,
} from '@commerce/kernel';
import fc from 'fast-check';

import type { DocumentInput, InvoicedPayment } from './build-invoice.js';
import { SAMPLE_INVOICE } from './sample-invoice.js';

export const DOCUMENT: DocumentInput = {
  number: 'R2026-000001',
  date: new Date('2026-03-31T22:30:00Z'),
  timezone: 'Europe/Berlin',
  locale: 'de',
  seller: SAMPLE_INVOICE.seller,
  buyer: SAMPLE_INVOICE.buyer,
};

export const TEA: Supply = {
  ...{ name: 'Tea', reason: null, share: null, period: null },
  ...{ quantity: 2, unit_minor: 1070, subtotal_minor: 2140, total_minor: 1926 },
  tax: taxOfRate(0.07),
};

/** The tax of a supply to this business, without its VAT id. */
export const REVERSE_CHARGE = {
  ...{ category: 'AE', rate: 0, reason: 'Reverse charge', reason_code: 'VATEX-EU-AE' },
} as const satisfies SupplyTax;
export const FRENCH_ID = 'FR40303265045';

/** A payment by card for these supplies; `gross` is what they come to with tax. */
export function paymentFor(
  supplies: readonly Supply[],
  gross: number,
  change: Partial<InvoicedPayment> = {},
): InvoicedPayment {
  return {
    ...{ id: '5d5bea8f0d1b6a0001c0ffe1', currency: 'EUR', card_minor: gross, credit_minor: 0 },
    ...{ reference: 'pi_1', prices: 'inclusive', subject: null, timezone: null, supplies },
    ...change,
  };
}

const CURRENCIES = ['EUR', 'JPY', 'KWD'];

type Supplied = Pick<InvoicedPayment, 'currency' | 'prices' | 'supplies'>;

/** Any supplies of one payment with these taxes, some of them credits. */
export function suppliesIn(taxes: readonly SupplyTax[]): fc.Arbitrary<Supplied> {
  return fc.constantFrom(...CURRENCIES).chain((currency) =>
    fc.record({
      currency: fc.constant(currency),
      prices: fc.constantFrom('inclusive' as const, 'exclusive' as const),
      supplies: fc.array(supplyIn(currency, taxes), { minLength: 1, maxLength: 30 }),
    }),
  );
}

function supplyIn(currency: string, taxes: readonly SupplyTax[]): fc.Arbitrary<Supply> {
  const step = minorStep(currency);
  return fc
    .record({
      total: fc.integer({ min: -200_000, max: 1_000_000 }),
      price: fc.option(fc.integer({ min: 0, max: 100_000 })),
      discount: fc.integer({ min: 0, max: 5000 }),
      tax: fc.constantFrom(...taxes),
      quantity: fc.constantFrom(1, 2, 7, 0.25, 1.333),
      period: fc.constantFrom(null, APRIL),
      reason: fc.constantFrom(null, ...SUPPLY_REASONS),
      name: fc.constantFrom('Tea', 'شاي & <كوب>', '茶 '.repeat(99)),
    })
    .map(({ total, price, discount, ...rest }): Supply => {
      const unit_minor = price === null ? null : price * step;
      const amount = ratio((price ?? total) * step);
      const priced_minor = roundMoney(multiplyRatio(amount, ratioOfDecimal(rest.quantity)), currency);
      const subtotal_minor = price === null ? total * step : priced_minor;
      const total_minor = subtotal_minor - Math.min(discount * step, Math.max(0, subtotal_minor));
      return { ...TEA, unit_minor, subtotal_minor, total_minor, ...rest };
    });
}

const APRIL = { start: new Date('2026-03-31T22:00:00Z'), end: new Date('2026-04-30T22:00:00Z') };

/** Any supplies of one payment at rates set by hand, some of them credits. */
export const ANY_SUPPLIES: fc.Arbitrary<Supplied> = suppliesIn(
  [0, 0.025, 0.055, 0.07, 0.19, 0.24, 1].map((rate) => taxOfRate(rate)),
);
