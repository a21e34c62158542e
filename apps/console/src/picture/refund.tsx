import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';

import { moment, money, words } from '../app/format';
import { useClient } from '../app/session';
import { T } from '../texts';
import { Outcome } from '../ui/outcome';
import { Badge, Button, Trouble } from '../ui/parts';
import type { Payment } from './model';
import { digitsOf, refundableOf, sharesOf, type Refundable } from './refundable';

/** The refunds of a payment, and the form for another one. */
export function Refunds({ payment }: { readonly payment: Payment }): ReactNode {
  const { refunds, currency } = payment;
  const [isAsked, setAsked] = useState(false);
  const [given, setGiven] = useState<number | null>(null);
  const left = refundableOf(payment);
  return (
    <div className="form">
      {refunds.length > 0 && <h3>{T.refund.title}</h3>}
      <ul className="explanation">
        {refunds.map((one) => (
          <li key={one.key}>
            <span>
              {moment(one.at)} {one.status !== 'SUCCEEDED' && <Badge value={one.status} />}
            </span>
            <span className="strong">{money(-one.amount, currency)}</span>
            <span className="note-of-line">
              {[T.refund.went[one.to], one.reason === null ? '' : words(one.reason)]
                .filter((text) => text !== '')
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {given !== null && (
        <p role="status" className="fine">
          {T.refund.done(money(given, currency))}
        </p>
      )}
      {left.total > 0 && !isAsked && (
        <div>
          <Button danger onClick={() => setAsked(true)}>
            {T.refund.button}
          </Button>
        </div>
      )}
      {isAsked && left.total > 0 && (
        <RefundForm
          payment={payment}
          left={left}
          onClose={(amount) => {
            setAsked(false);
            setGiven(amount);
          }}
        />
      )}
    </div>
  );
}

interface Wanted {
  readonly amount: string;
  readonly reason: string;
  readonly to: 'card' | 'balance';
}

interface RefundFormProps {
  readonly payment: Payment;
  readonly left: Refundable;
  /** Receives the amount that was given back; null for none. */
  readonly onClose: (amount: number | null) => void;
}

/** Asks for amount, reason and way, and says what will happen before it does. */
function RefundForm({ payment, left, onClose }: RefundFormProps): ReactNode {
  const { _id: id, currency } = payment;
  const client = useClient();
  const cache = useQueryClient();
  const [wanted, setWanted] = useState<Wanted>({
    amount: left.total.toFixed(digitsOf(currency)),
    reason: '',
    to: left.card > 0 ? 'card' : 'balance',
  });
  const want = (values: Partial<Wanted>): void => setWanted({ ...wanted, ...values });
  const amount = Number(wanted.amount);
  const isWrong = !(amount > 0 && amount <= left.total);
  const refund = useMutation({
    mutationFn: () =>
      client.post('/payments/{id}/refunds', {
        params: { path: { id } },
        body: { amount, to: wanted.to, reason: wanted.reason.trim() === '' ? null : wanted.reason.trim() },
      }),
    onSuccess: async () => {
      await cache.invalidateQueries();
      onClose(amount);
    },
  });
  return (
    <form
      className="form"
      aria-label={T.refund.button}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) refund.mutate();
      }}
    >
      <AmountField {...{ wanted, want, isWrong }} most={money(left.total, currency)} />
      <ReasonField {...{ wanted, want }} />
      {left.card > 0 && <WayField {...{ wanted, want }} />}
      {!isWrong && <Outcome lines={linesOf({ payment, left, amount, to: wanted.to })} />}
      <Trouble error={refund.error} />
      <div className="actions">
        <Button danger type="submit" disabled={isWrong} busy={refund.isPending}>
          {isWrong ? T.refund.button : T.refund.confirm(money(amount, currency))}
        </Button>
        <Button onClick={() => onClose(null)}>{T.forms.notNow}</Button>
      </div>
    </form>
  );
}

interface PartProps {
  readonly wanted: Wanted;
  readonly want: (values: Partial<Wanted>) => void;
}

function AmountField({
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

function ReasonField({ wanted, want }: PartProps): ReactNode {
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

function WayField({ wanted, want }: PartProps): ReactNode {
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

interface LinesInput {
  readonly payment: Payment;
  readonly left: Refundable;
  readonly amount: number;
  readonly to: Wanted['to'];
}

/** The effects of a refund, in words and amounts. */
function linesOf({ payment, left, amount, to }: LinesInput): string[] {
  const { currency, subscription, order } = payment;
  const { card, balance, kept } = sharesOf(left, { amount, to, currency });
  return [
    ...(card > 0 ? [T.refund.toCard(money(card, currency))] : []),
    ...(balance > 0 ? [T.refund.toBalance(money(balance, currency))] : []),
    kept > 0 ? T.refund.kept(money(kept, currency)) : T.refund.nothingKept,
    ...(subscription === null ? [] : [T.refund.goesOn]),
    ...(order !== null && kept === 0 ? [T.refund.orderEnds] : []),
    T.refund.final,
  ];
}
