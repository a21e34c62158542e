import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { moment, money, words } from '../app/format';
import { useClient } from '../app/session';
import { T } from '../texts';
import { Outcome } from '../ui/outcome';
import { Badge, Button, Trouble } from '../ui/parts';
import type { Payment } from './model';
import { AmountField, InsteadField, ReasonField, WayField, type Wanted } from './refund-fields';
import { digitsOf, owedRefundsOf, refundableOf, sharesOf, type Refundable } from './refundable';

/** The refunds of a payment, and the form for another one. */
export function Refunds({ payment }: { readonly payment: Payment }): ReactNode {
  const { refunds, currency } = payment;
  const [isAsked, setAsked] = useState(false);
  const [given, setGiven] = useState<number | null>(null);
  const isPossible = choicesOf(payment).length > 0;
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
            <span className="note-of-line">{noteOf(one, currency)}</span>
          </li>
        ))}
      </ul>
      {given !== null && (
        <p role="status" className="fine">
          {T.refund.done(money(given, currency))}
        </p>
      )}
      {isPossible && !isAsked && (
        <div>
          <Button danger onClick={() => setAsked(true)}>
            {T.refund.button}
          </Button>
        </div>
      )}
      {isPossible && isAsked && (
        <RefundForm
          payment={payment}
          onClose={(amount) => {
            setAsked(false);
            setGiven(amount);
          }}
        />
      )}
    </div>
  );
}

function noteOf({ to, reason, owed }: Payment['refunds'][number], currency: string): string {
  const notes = [
    T.refund.went[to],
    ...(reason === null ? [] : [words(reason)]),
    ...(owed > 0 ? [T.refund.owes(money(owed, currency))] : []),
  ];
  return notes.join(' · ');
}

/** The keys of the owed refunds in whose place another can be made; an empty one where more is paid than they owe. */
function choicesOf(payment: Payment): readonly string[] {
  const owed = refundableOf(payment).paid > 0 ? owedRefundsOf(payment).map(({ key }) => key) : [];
  return refundableOf(payment).total > 0 ? [...owed, ''] : owed;
}

/** The form for one of these choices: it asks for all that is owed there, or for all that is left. */
function wantedFor(payment: Payment, insteadOf: string): Wanted {
  const { total, card, replaced } = refundableOf(payment, insteadOf);
  const amount = Math.min(total, replaced > 0 ? replaced : total);
  const to = card > 0 ? 'card' : 'balance';
  return { insteadOf, amount: amount.toFixed(digitsOf(payment.currency)), reason: '', to };
}

interface RefundFormProps {
  readonly payment: Payment;
  /** Receives the amount that was given back; null for none. */
  readonly onClose: (amount: number | null) => void;
}

/** Asks for amount, reason and way, and says what will happen before it does. */
function RefundForm({ payment, onClose }: RefundFormProps): ReactNode {
  const { _id: id, currency } = payment;
  const client = useClient();
  const cache = useQueryClient();
  const choices = choicesOf(payment);
  const [wanted, setWanted] = useState(() => wantedFor(payment, choices[0] ?? ''));
  const want = (values: Partial<Wanted>): void => setWanted({ ...wanted, ...values });
  const left = refundableOf(payment, wanted.insteadOf);
  const amount = Number(wanted.amount);
  const isWrong = !(amount > 0 && amount <= left.total);
  const refund = useMutation({
    mutationFn: () =>
      client.post('/payments/{id}/refunds', { params: { path: { id } }, body: bodyOf(wanted) }),
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
      {choices.some((key) => key !== '') && (
        <InsteadField
          {...{ payment, choices }}
          value={wanted.insteadOf}
          choose={(key) => setWanted({ ...wantedFor(payment, key), reason: wanted.reason })}
        />
      )}
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

function bodyOf({ insteadOf, amount, reason, to }: Wanted) {
  const text = (value: string): string | null => (value.trim() === '' ? null : value.trim());
  return { amount: Number(amount), to, reason: text(reason), instead_of: text(insteadOf) };
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
  const { card, balance, owed, kept } = sharesOf(left, { amount, to, currency });
  return [
    ...(card > 0 ? [T.refund.toCard(money(card, currency))] : []),
    ...(balance > 0 ? [T.refund.toBalance(money(balance, currency))] : []),
    ...(owed > 0 ? [T.refund.stillOwed(money(owed, currency))] : []),
    kept > 0 ? T.refund.kept(money(kept, currency)) : T.refund.nothingKept,
    ...(subscription === null ? [] : [T.refund.goesOn]),
    ...(order !== null && kept === 0 && owed === 0 ? [T.refund.orderEnds] : []),
    T.refund.final,
  ];
}
