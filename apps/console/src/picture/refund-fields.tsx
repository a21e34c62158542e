import { useId, type ReactNode } from 'react';

import { day, money, words } from '../app/format';
import { T } from '../texts';
import type { Payment } from './model';
import { owedRefundsOf } from './refundable';

/** The fields of a refund, as typed. */
export interface Wanted {
  /** The key of the owed refund in whose place it is made; empty for none. */
  readonly insteadOf: string;
  readonly amount: string;
  readonly reason: string;
  readonly to: 'card' | 'balance';
}

interface InsteadProps {
  readonly payment: Payment;
  /** The keys to choose from; an empty one for a refund beside what is owed. */
  readonly choices: readonly string[];
  readonly value: string;
  readonly choose: (key: string) => void;
}

/** Asks whether the refund takes the place of one that is owed, and of which. */
export function InsteadField({ payment, choices, value, choose }: InsteadProps): ReactNode {
  const { currency } = payment;
  return (
    <label className="field">
      <span>{T.refund.instead}</span>
      <select value={value} onChange={({ target }) => choose(target.value)}>
        {owedRefundsOf(payment).map(({ key, owed, at, reason }) => (
          <option key={key} value={key}>
            {T.refund.owedSince(money(owed, currency), day(at), reason === null ? '' : words(reason))}
          </option>
        ))}
        {choices.includes('') && <option value="">{T.refund.beside}</option>}
      </select>
      <span className="help">{T.refund.insteadHelp}</span>
    </label>
  );
}

interface PartProps {
  readonly wanted: Wanted;
  readonly want: (values: Partial<Wanted>) => void;
}

export function AmountField({
  wanted,
  want,
  isWrong,
  most,
}: PartProps & { readonly isWrong: boolean; readonly most: string }): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{T.amount}</label>
      <input
        id={id}
        type="number"
        step="any"
        min="0"
        autoFocus
        aria-invalid={isWrong}
        aria-describedby={`${id}-most`}
        value={wanted.amount}
        onChange={({ target }) => want({ amount: target.value })}
      />
      <span id={`${id}-most`} className={isWrong ? 'wrong' : 'help'}>
        {T.refund.most(most)}
      </span>
    </div>
  );
}

export function ReasonField({ wanted, want }: PartProps): ReactNode {
  const list = useId();
  return (
    <label className="field">
      <span>{T.refund.reason}</span>
      <input
        type="text"
        maxLength={256}
        list={list}
        value={wanted.reason}
        onChange={({ target }) => want({ reason: target.value })}
      />
      <datalist id={list}>
        {T.refund.reasons.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  );
}

export function WayField({ wanted, want }: PartProps): ReactNode {
  return (
    <label className="field">
      <span>{T.refund.to}</span>
      <select
        value={wanted.to}
        onChange={({ target }) => want({ to: target.value === 'balance' ? 'balance' : 'card' })}
      >
        <option value="card">{T.refund.ways.card}</option>
        <option value="balance">{T.refund.ways.balance}</option>
      </select>
    </label>
  );
}
