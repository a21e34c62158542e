import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { day, moment, money, words } from '../app/format';
import { useClient } from '../app/session';
import { DocumentLinks } from '../lists/documents';
import { T } from '../texts';
import { Badge, Note, Trouble } from '../ui/parts';
import { Drawer } from '../ui/drawer';
import type { Charge, Payment, Upcoming } from './model';
import { Refunds } from './refund';

const PENDING_MS = 1500;
const MOST_READS = 40;

interface ExplanationProps {
  readonly charge: Pick<Charge, 'source' | 'amount'>;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Explains an amount by the lines of a past or future charge. */
export function Explanation({ charge, currency, onClose }: ExplanationProps): ReactNode {
  const { source, amount } = charge;
  return (
    <Drawer title={T.explanation.title(money(amount, currency))} onClose={onClose}>
      {source.is === 'payment' ? (
        <Made payment={source.payment} />
      ) : (
        <ToCome charge={source.charge} currency={currency} />
      )}
    </Drawer>
  );
}

/** The state of a payment, read again while a refund is on its way. */
function usePayment(given: Payment): Payment {
  const client = useClient();
  const { _id: id } = given;
  const { data } = useQuery({
    queryKey: ['/payments/{id}', id],
    queryFn: () => client.get('/payments/{id}', { params: { path: { id } } }),
    initialData: given,
    refetchInterval: ({ state: { data: now, dataUpdateCount } }) =>
      dataUpdateCount < MOST_READS && now?.refunds.some(({ status }) => status === 'PENDING') === true
        ? PENDING_MS
        : false,
  });
  return data;
}

function Made({ payment: given }: { readonly payment: Payment }): ReactNode {
  const client = useClient();
  const payment = usePayment(given);
  const { _id: id, currency, created, status } = payment;
  const { data, error } = useQuery({
    queryKey: ['/payments/{id}/explanation', id],
    queryFn: () => client.get('/payments/{id}/explanation', { params: { path: { id } } }),
  });
  return (
    <>
      <p className="badges">
        <Badge value={status} /> <span className="quiet">{moment(created)}</span>
      </p>
      <Trouble error={error} />
      {data === undefined && error === null && <Note>{T.loading}</Note>}
      {data !== undefined && (
        <div>
          <ul className="explanation">
            {data.lines.map(({ label, amount, note }, index) => (
              <Line
                key={`${String(index)}${label}`}
                {...{ label, note }}
                amount={amount}
                currency={currency}
              />
            ))}
          </ul>
          <Total amount={data.charged.amount} currency={currency} />
          <p className={data.agrees ? 'fine' : 'alert'}>
            {data.agrees ? T.explanation.agrees : T.explanation.differs}
          </p>
        </div>
      )}
      <Tries payment={payment} />
      <Refunds payment={payment} />
      <DocumentLinks payment={payment} />
    </>
  );
}

interface LineProps {
  readonly label: string;
  readonly note: string | null;
  readonly amount: number | null;
  readonly currency: string;
}

function Line({ label, note, amount, currency }: LineProps): ReactNode {
  return (
    <li>
      <span>{label}</span>
      <span className="strong">{amount === null ? '' : money(amount, currency)}</span>
      {note !== null && <span className="note-of-line">{note}</span>}
    </li>
  );
}

function Total({ amount, currency }: { readonly amount: number; readonly currency: string }): ReactNode {
  return (
    <p className="total">
      <span>{T.explanation.total}</span>
      <span>{money(amount, currency)}</span>
    </p>
  );
}

function Tries({ payment }: { readonly payment: Payment }): ReactNode {
  return (
    <div>
      <h3>{T.explanation.tries}</h3>
      <ul className="explanation">
        {payment.attempts.map(({ number, at, status, code, message }) => (
          <li key={number}>
            <span>{moment(at)}</span>
            <Badge value={status} />
            {code !== null && <span className="note-of-line">{message ?? words(code)}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Part {
  readonly kind: string;
  readonly amount: number;
  readonly start?: number;
  readonly end?: number;
  readonly steps?: readonly { readonly rule: string; readonly exact: string; readonly rounded: number }[];
}

function ToCome({ charge, currency }: { readonly charge: Upcoming; readonly currency: string }): ReactNode {
  const { parts = [] } = charge.breakdown as { readonly parts?: readonly Part[] };
  return (
    <>
      <p className="quiet">{T.explanation.toCome(day(charge.date))}</p>
      <div>
        <ul className="explanation">
          {parts.map((part, index) => (
            <Line
              key={String(index)}
              label={labelOf(part)}
              amount={part.amount}
              currency={currency}
              note={
                (part.steps ?? []).map(({ rule, exact }) => `${words(rule)}: ${exact}`).join(' · ') || null
              }
            />
          ))}
        </ul>
        <Total amount={charge.amount} currency={currency} />
        <p className="quiet small">{T.explanation.sameCode}</p>
      </div>
    </>
  );
}

function labelOf({ kind, start, end }: Part): string {
  const name = words(kind);
  return start === undefined || end === undefined ? name : `${name}, ${day(start)} – ${day(end)}`;
}
