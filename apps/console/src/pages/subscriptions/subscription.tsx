import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';

import { away, day, moment, money } from '../../app/format';
import { UserLink } from '../../lists/names';
import { ClockPanel } from '../../picture/clock-panel';
import { Explanation } from '../../picture/explanation';
import { pictureOf, stateOf, type Charge, type Payment } from '../../picture/model';
import { useHistory, type FullHistory } from '../../picture/subscription-history';
import { TimeLine } from '../../picture/time-line';
import { WhatIf } from '../../picture/what-if-panel';
import { T } from '../../texts';
import { Badge, Button, Note, PageHead, Section, Trouble } from '../../ui/parts';
import { PendingChange } from './change-plan';
import { SubscriptionActions } from './subscription-actions';
import { Standing } from './subscriptions';

export default function Subscription({ id }: { readonly id: string }): ReactNode {
  const { history, error } = useHistory(id);
  if (history === null) return error === null ? <Note>{T.loading}</Note> : <Trouble error={error} />;
  return <Shown history={history} />;
}

function Shown({ history }: { readonly history: FullHistory }): ReactNode {
  const { subscription, plan, clock, now } = history;
  const [opened, setOpened] = useState<Charge | null>(null);
  const [asksWhatIf, setAsks] = useState(false);
  const picture = pictureOf(history);
  const { currency } = subscription;
  return (
    <>
      <PageHead
        title={
          <>
            <UserLink id={subscription.user} /> · {plan?.name ?? T.unnamed}
          </>
        }
        lead={<Standing {...subscription} />}
      >
        <Button onClick={() => setAsks(!asksWhatIf)} aria-pressed={asksWhatIf}>
          {T.whatIf.button}
        </Button>
        <SubscriptionActions subscription={subscription} now={now} />
      </PageHead>
      {clock !== null && <ClockPanel clock={clock} next={nextOf(history)} />}
      {asksWhatIf ? (
        <WhatIf history={history} real={picture} onOpen={setOpened} />
      ) : (
        <Section title={T.picture.title}>
          <TimeLine bands={[{ name: T.picture.title, picture }]} {...{ now, currency }} onOpen={setOpened} />
          <Legend />
        </Section>
      )}
      <Facts history={history} />
      <Charges history={history} onOpen={setOpened} />
      {opened !== null && <Explanation charge={opened} currency={currency} onClose={() => setOpened(null)} />}
    </>
  );
}

/** The date of the next due work, to which a step of the clock leads. */
function nextOf({ subscription, upcoming }: FullHistory): Date | null {
  return subscription.next_billing_date ?? upcoming[0]?.date ?? subscription.resume_at;
}

function Legend(): ReactNode {
  return (
    <p className="legend">
      {T.picture.legend.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </p>
  );
}

function Facts({ history }: { readonly history: FullHistory }): ReactNode {
  const { subscription: one, now } = history;
  const next = one.next_billing_date;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [T.subscription.quantity, one.quantity],
    [T.subscription.started, day(one.starting_date)],
    [
      T.subscription.period,
      `${day(one.current_billing_date_period_start)} – ${day(one.current_billing_date_period_end)}`,
    ],
    [T.subscription.next, next === null ? T.none : `${day(next)} · ${away(next, now)}`],
    [T.subscription.ends, one.ending_date === null ? T.subscription.noEnd : day(one.ending_date)],
    ...pendingOf(one),
    [T.subscription.owed, money(one.outstanding_amount, one.currency)],
    [T.id, <code key="id">{one.human_id}</code>],
  ];
  return (
    <Section title={T.subscription.facts}>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {one.note !== null && <p className="quiet note-below">{one.note}</p>}
    </Section>
  );
}

function pendingOf({ _id: id, pending_change: pending }: FullHistory['subscription']): [string, ReactNode][] {
  if (pending === null) return [];
  return [[T.changePlan.pending, <PendingChange key="pending" {...{ id, pending }} />]];
}

interface ChargesProps {
  readonly history: FullHistory;
  readonly onOpen: (charge: Charge) => void;
}

/** The picture's content, in words and numbers. */
function Charges({ history, onOpen }: ChargesProps): ReactNode {
  const { payments, subscription } = history;
  const all = <Link href={`/payments?subscription=${subscription._id}`}>{T.subscription.allPayments}</Link>;
  return (
    <Section title={T.subscription.charges} aside={all}>
      {payments.length === 0 && <Note>{T.subscription.noCharges}</Note>}
      {payments.length > 0 && (
        <div className="table-frame">
          <table aria-label={T.subscription.charges}>
            <tbody>
              {payments.slice(0, 24).map((payment) => (
                <ChargeRow key={payment._id} payment={payment} onOpen={onOpen} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

interface ChargeRowProps {
  readonly payment: Payment;
  readonly onOpen: (charge: Charge) => void;
}

function ChargeRow({ payment, onOpen }: ChargeRowProps): ReactNode {
  const { _id: key, created, amount, kind, currency, status, attempts } = payment;
  const source = { is: 'payment' as const, payment };
  const charge = { key, at: Number(created), amount, kind, state: stateOf(payment), source };
  return (
    <tr>
      <td>{moment(created)}</td>
      <td className="minor">{T.picture.kinds[kind]}</td>
      <td>
        <Badge value={status} />
      </td>
      <td className="minor quiet">{T.subscription.tries(attempts.length)}</td>
      <td className="right strong">{money(amount, currency)}</td>
      <td className="right">
        <button type="button" className="link" onClick={() => onOpen(charge)}>
          {T.subscription.explain}
        </button>
      </td>
    </tr>
  );
}
