import fc from 'fast-check';

import { customerOf } from './customer-rules.js';
import { CONTEXT, CUSTOMER, PRODUCT, SUBSCRIPTION } from './stripe-examples.spec-data.js';
import { readable, shapeProblem, type ImportedObject } from './stripe-objects.js';
import { carryOver, judgeOf } from './subscription-rules.js';

/** Subscriptions, customers and products with the fields that have objects or lists in Stripe's API. */
const FULL: readonly ImportedObject[] = [
  {
    ...SUBSCRIPTION,
    currency: 'usd',
    cancel_at: 1_900_000_000,
    default_tax_rates: [{ percentage: 19, inclusive: true }],
    discounts: [
      { start: 1, source: { coupon: { id: 'C', object: 'coupon', duration: 'forever', percent_off: 10 } } },
    ],
    latest_invoice: { id: 'in_1', total: 1, total_taxes: [{ amount: 1, taxable_amount: 1 }] },
    pause_collection: { behavior: 'void', resumes_at: 1 },
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    billing_cycle_anchor_config: { day_of_month: 31 },
  },
  {
    ...CUSTOMER,
    address: { country: 'DE' },
    balance: -1,
    currency: 'eur',
    invoice_credit_balance: { eur: 1 },
    tax: { location: { country: 'DE' } },
    tax_ids: { data: [{ type: 'eu_vat', value: 'DE136695976', verification: { status: 'verified' } }] },
  },
  { ...PRODUCT, tax_details: { tax_code: 'txcd_10000000' } },
];

type Path = readonly (string | number)[];

/** The places of all values in a value. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

function read(from: ImportedObject): unknown {
  if (shapeProblem(from) !== null) return null;
  if (from.object === 'subscription') return carryOver(from, CONTEXT);
  if (from.object === 'customer') return readable(from, () => customerOf(from));
  return from.object === 'product' ? readable(from, () => judgeOf(from)) : null;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Dates and numbers that are none, in what would be imported. */
function oddValues(value: unknown): unknown[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [value];
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(oddValues) : [];
}

const places = FULL.flatMap((from) =>
  pathsIn(from)
    .filter(([key]) => key !== 'object' && key !== 'id')
    .map((path) => ({ from, path })),
);

describe('an object whose field has another form', () => {
  it('is read or refused in words, and ends no import', () => {
    const form = fc.constantFrom<unknown>(
      null,
      undefined,
      true,
      7,
      0.5,
      'text',
      [],
      [null],
      [7],
      {},
      { data: 7 },
    );
    expect(FULL.map(read)).toEqual([
      expect.objectContaining({ kind: 'carried' }),
      expect.objectContaining({ why: [] }),
      { why: [], tax_code: null },
    ]);
    const kinds = new Set<string>();
    fc.assert(
      fc.property(fc.constantFrom(...places), form, ({ from, path }, by) => {
        const found = read(replaced(from, path, by) as ImportedObject);
        kinds.add(typeof found);
        expect(oddValues(found)).toEqual([]);
        // The import never ignores a value in a field for discounts or taxes.
        const isTerm = ['discounts', 'default_tax_rates'].includes(String(path[0])) && path.length === 1;
        if (isTerm && by) expect(found).toMatchObject({ kind: isEmptyList(by) ? 'carried' : 'left' });
      }),
      { numRuns: 5000 },
    );
    expect(kinds).toContain('string');
  });
});
