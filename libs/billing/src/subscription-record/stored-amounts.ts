import { toMajor, toMinor } from '@commerce/kernel';

import type { Quote } from '../domain/lifecycle/quote.js';
import {
  newDebtMinor,
  quoteNumber,
  type OpenedPayment,
  type OpenPayment,
} from '../domain/receivable/open-payment.js';
import type { BillingPeriod } from '../domain/lines/billing-period.js';

/** The stored form of a value of the domain: `x_minor`, in minor units, becomes `x`, a decimal in major units. */
export type InMajor<T> = T extends Date | string | number | boolean | null
  ? T
  : T extends readonly (infer E)[]
    ? readonly InMajor<E>[]
    : { readonly [K in keyof T as Shown<K>]: K extends AmountKey ? T[K] : InMajor<T[K]> };

type AmountKey = `${string}_minor`;
type Shown<K> = K extends `${infer Name}_minor` ? Name : K;

export type StoredPeriod = InMajor<BillingPeriod>;

/** An open payment in any of its states. */
export type StoredPayment = InMajor<OpenedPayment> & {
  readonly state: OpenPayment['state'];
  readonly retry_at: Date | null;
  readonly expires_at: Date | null;
};

/** Converts every amount of a value, at any depth, into its stored form. */
export function inMajor<T>(value: T, currency: string): InMajor<T> {
  return stored(value, currency) as InMajor<T>;
}

function stored(value: unknown, currency: string): unknown {
  if (Array.isArray(value)) return value.map((one) => stored(one, currency));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const fields: Record<string, unknown> = {};
  const parts = value as Record<string, unknown>;
  for (const name of Object.keys(parts)) {
    const part = parts[name];
    const { storedName, isAmount } = storedFieldOf(name);
    if (!isAmount) fields[storedName] = stored(part, currency);
    else fields[storedName] = typeof part === 'number' ? toMajor(part, currency) : part;
  }
  return fields;
}

interface StoredField {
  readonly storedName: string;
  readonly isAmount: boolean;
}

/** Fields of the domain by their names, which are few: a forecast looks up a million of them. */
const storedFields = new Map<string, StoredField>();

function storedFieldOf(name: string): StoredField {
  const known = storedFields.get(name);
  if (known !== undefined) return known;
  const isAmount = name.endsWith('_minor');
  const storedName = isAmount ? name.slice(0, -'_minor'.length) : name;
  storedFields.set(name, { storedName, isAmount });
  return { storedName, isAmount };
}

/**
 * The amount in minor units; null stays null.
 * @throws Faults of toMinor
 */
export function inMinor<A extends number | null>(amount: A, currency: string): A {
  return (amount === null ? null : toMinor(amount, currency)) as A;
}

export type StoredQuote = InMajor<Quote>;

/** The amounts of open charges without the debt in them, which stays in outstanding_amount until it is paid. */
export function awaitingAmount({
  open_payments = [],
  currency = '',
}: {
  readonly open_payments?: readonly StoredPayment[];
  readonly currency?: string;
}): number {
  const charges = open_payments.filter((one) => quoteNumber(one) === null);
  if (charges.length === 0) return 0;
  const minor = charges.reduce((sum, one) => sum + newDebtMinor(openedPayment(one, currency)), 0);
  return toMajor(minor, currency);
}

export function openedPayment(
  { amount, debt, own, credits, ...rest }: StoredPayment,
  currency: string,
): OpenedPayment {
  return {
    ...rest,
    amount_minor: inMinor(amount, currency),
    debt_minor: inMinor(debt, currency),
    own: own.map((one) => ({ of: one.of, amount_minor: inMinor(one.amount, currency) })),
    ...(credits && {
      credits: credits.map(({ amount: credited, ...one }) => ({
        ...one,
        amount_minor: inMinor(credited, currency),
      })),
    }),
  };
}
