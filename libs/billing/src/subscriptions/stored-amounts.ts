import { toMajor, toMinor } from '@commerce/kernel';

import type { OpenedPayment, OpenPayment } from '../domain/ledger/open-payment.js';
import type { RunningSlice } from '../domain/ledger/running-slice.js';

/**
 * A value of the domain as it is stored: `x_minor`, in minor units, becomes `x`, a decimal in major units.
 */
export type InMajor<T> = T extends Date | string | number | boolean | null
  ? T
  : T extends readonly (infer E)[]
    ? readonly InMajor<E>[]
    : { readonly [K in keyof T as Shown<K>]: K extends AmountKey ? T[K] : InMajor<T[K]> };

type AmountKey = `${string}_minor`;
type Shown<K> = K extends `${infer Name}_minor` ? Name : K;

export type StoredSlice = InMajor<RunningSlice>;

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
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) =>
      name.endsWith('_minor')
        ? [name.slice(0, -'_minor'.length), typeof part === 'number' ? toMajor(part, currency) : part]
        : [name, stored(part, currency)],
    ),
  );
}

/** The amount in minor units; null stays null. Faults: those of toMinor. */
export function inMinor<A extends number | null>(amount: A, currency: string): A {
  return (amount === null ? null : toMinor(amount, currency)) as A;
}
