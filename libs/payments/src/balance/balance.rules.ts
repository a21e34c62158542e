import type { Balance, UserRecord } from '@commerce/identity';
import { fault, isMinor, toMajor, toMinor } from '@commerce/kernel';

/** The balance of a user in one currency, in minor units. */
export function balanceMinor({ balance }: Pick<UserRecord, 'balance'>, currency: string): number {
  return toMinor(balance[currency] ?? 0, currency);
}

/**
 * The fields of a user once `amount_minor` is added to the balance.
 * @throws Fault `balance.too_small` where it takes more than the balance holds; `amount.invalid` beyond the largest sum
 */
export function withAmount(
  user: Pick<UserRecord, 'balance'>,
  currency: string,
  amount_minor: number,
): Pick<UserRecord, 'balance' | 'has_balance'> {
  const before = balanceMinor(user, currency);
  const after = before + amount_minor;
  if (after < 0) throw tooSmall(toMajor(before, currency), currency);
  if (!isMinor(after, currency)) throw fault('amount.invalid', 'The balance would be too large');
  const others = Object.entries(user.balance).filter(([name]) => name !== currency);
  const own = after === 0 ? [] : [[currency, toMajor(after, currency)] as const];
  const balance: Balance = Object.fromEntries([...others, ...own]);
  return { balance, has_balance: Object.keys(balance).length > 0 };
}

function tooSmall(balance: number, currency: string): Error {
  const message = `The balance holds ${balance} ${currency} only`;
  return fault('balance.too_small', message, {
    balance,
    currency,
    errors: [{ path: 'amount', code: 'balance.too_small', message }],
  });
}
