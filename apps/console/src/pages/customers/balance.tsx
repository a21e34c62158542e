import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { day, money } from '../../app/format';
import { useClient } from '../../app/session';
import type { User } from '../../lists/names';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { Outcome } from '../../ui/outcome';
import { Button, Note, Section, Trouble } from '../../ui/parts';

const SHOWN = 8;

/** A customer's credit, and the entries that it comes from. */
export function Balance({ user }: { readonly user: User }): ReactNode {
  const client = useClient();
  const [gives, setGives] = useState(false);
  const { _id: id, balance, deleted } = user;
  const { data, error } = useQuery({
    queryKey: ['/users/{id}/credits', id],
    queryFn: () => client.get('/users/{id}/credits', { params: { path: { id }, query: { size: SHOWN } } }),
  });
  const amounts = Object.entries(balance);
  const give = deleted ? undefined : <Button onClick={() => setGives(true)}>{T.giveCredit.button}</Button>;
  return (
    <Section title={T.customer.balance} aside={give}>
      <p className="balance">
        {amounts.map(([currency, amount]) => (
          <strong key={currency}>{money(amount, currency)}</strong>
        ))}
      </p>
      <Trouble error={error} />
      {amounts.length === 0 && data?.length === 0 && <Note>{T.customer.noBalance}</Note>}
      <ul className="entries" aria-label={T.customer.ledger}>
        {data?.map(({ _id, amount, currency, kind, note, created, balance: after }) => (
          <li key={_id}>
            <span>
              {T.customer.credits[kind]}
              {note !== null && <span className="quiet"> · {note}</span>}
            </span>
            <span className="strong">{money(amount, currency)}</span>
            <span className="quiet small">
              {day(created)} · {T.customer.after(money(after, currency))}
            </span>
          </li>
        ))}
      </ul>
      {gives && <GiveCredit user={user} onClose={() => setGives(false)} />}
    </Section>
  );
}

interface GiveCreditProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** The fields, as typed. */
interface Given {
  readonly amount: string;
  readonly currency: string;
  readonly note: string;
}

function GiveCredit({ user, onClose }: GiveCreditProps): ReactNode {
  const client = useClient();
  const held = Object.keys(user.balance);
  const [given, setGiven] = useState<Given>({ amount: '', currency: held[0] ?? 'EUR', note: '' });
  const give = (values: Partial<Given>): void => setGiven({ ...given, ...values });
  const note = given.note.trim();
  const amount = Number(given.amount);
  const code = given.currency.trim().toUpperCase();
  const isMoney = Number.isFinite(amount) && amount !== 0 && /^[A-Z]{3}$/.test(code);
  const left = (user.balance[code] ?? 0) + (isMoney ? amount : 0);
  return (
    <ActionDialog
      title={T.giveCredit.button}
      isReady={isMoney && left >= 0}
      run={() =>
        client.post('/users/{id}/credits', {
          params: { path: { id: user._id } },
          body: { amount, currency: code, note: note === '' ? null : note },
        })
      }
      onClose={onClose}
    >
      <CreditFields {...{ given, give }} />
      {isMoney && <Outcome lines={[outcomeOf(amount, left, code)]} />}
    </ActionDialog>
  );
}

interface CreditFieldsProps {
  readonly given: Given;
  readonly give: (values: Partial<Given>) => void;
}

function CreditFields({ given, give }: CreditFieldsProps): ReactNode {
  return (
    <>
      <label className="field">
        <span>{T.amount}</span>
        <input
          type="number"
          step="any"
          required
          value={given.amount}
          onChange={({ target }) => give({ amount: target.value })}
        />
        <span className="help">{T.giveCredit.amountHelp}</span>
      </label>
      <label className="field">
        <span>{T.giveCredit.currency}</span>
        <input
          type="text"
          maxLength={3}
          required
          value={given.currency}
          onChange={({ target }) => give({ currency: target.value })}
        />
      </label>
      <label className="field">
        <span>{T.giveCredit.note}</span>
        <input
          type="text"
          maxLength={1024}
          value={given.note}
          onChange={({ target }) => give({ note: target.value })}
        />
      </label>
    </>
  );
}

function outcomeOf(amount: number, left: number, currency: string): string {
  if (amount > 0) return T.giveCredit.gives(money(amount, currency));
  return left < 0
    ? T.giveCredit.tooMuch(money(left - amount, currency))
    : T.giveCredit.takes(money(-amount, currency), money(left, currency));
}
