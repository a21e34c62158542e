import { fault } from '@commerce/kernel';
import { GENERIC_DECLINE, type PaymentRecord } from '@commerce/payments';
import { replyJson } from '@commerce/records';

/** Fault `payment.declined` with the payment, as its caller may see it, and the record that it is for. */
export function declined(payment: PaymentRecord, owner: Readonly<Record<string, object>>): Error {
  const attempt = payment.attempts.at(-1);
  const records = Object.entries({ ...owner, payment }).map(([name, record]) => [name, shown(record)]);
  return fault('payment.declined', attempt?.message ?? GENERIC_DECLINE.message, {
    decline_code: attempt?.code ?? null,
    ...(Object.fromEntries(records) as object),
  });
}

/** A record as JSON shows it. */
export function shown(record: object): unknown {
  return JSON.parse(replyJson(record));
}
