import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { day, money } from '../../app/format';
import { useClient } from '../../app/session';
import { PlanFields, usePlans, type Taken } from '../../forms/plan/plan-fields';
import { cardName, usableCards, useCards, type Card } from '../../lists/cards';
import type { Plan, User } from '../../lists/names';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { Outcome } from '../../ui/outcome';
import { Note, Trouble } from '../../ui/parts';

/** The number of charges in the preview. */
const COUNT = 3;
const STARTS = ['now', 'date', 'later'] as const;

interface Wanted extends Taken {
  readonly card: string;
  readonly starts: (typeof STARTS)[number];
  /** As the date input has it. */
  readonly date: string;
}

interface NewSubscriptionProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** Subscribes a customer, after a preview of the charges that follow. */
export function NewSubscription({ user, onClose }: NewSubscriptionProps): ReactNode {
  const client = useClient();
  const [, navigate] = useLocation();
  const plans = usePlans();
  const { data } = useCards(user._id);
  const cards = usableCards(data ?? []);
  const [changed, setChanged] = useState<Partial<Wanted>>({});
  const card = cards[0]?._id ?? '';
  const starts = card === '' ? 'later' : 'now';
  const first = { plan: plans[0]?._id ?? '', quantity: 1, coupon: '', card, starts, date: '' } as const;
  const wanted: Wanted = { ...first, ...changed };
  const want = (values: Partial<Wanted>): void => setChanged({ ...changed, ...values });
  const lacksCard = wanted.starts !== 'later' && wanted.card === '';
  const lacksDate = wanted.starts === 'date' && wanted.date === '';
  const run = async (): Promise<void> => {
    const body = { ...bodyOf(wanted, user._id), start_now: wanted.starts !== 'later' };
    const made = await client.post('/subscriptions', { body });
    navigate(`/subscriptions/${made._id}`);
  };
  return (
    <ActionDialog
      title={T.newSubscription.button}
      isReady={wanted.plan !== '' && !lacksCard && !lacksDate}
      {...{ run, onClose }}
    >
      {plans.length === 0 ? <Note>{T.newSubscription.noPlan}</Note> : null}
      <PlanFields plans={plans} taken={wanted} onChange={want} />
      <CardField {...{ cards, wanted, want }} />
      <StartFields {...{ wanted, want }} />
      {lacksCard && <p className="wrong">{T.newSubscription.needsCard}</p>}
      {!lacksDate && !lacksCard && wanted.plan !== '' && (
        <Preview {...{ wanted, user }} plan={plans.find(({ _id }) => _id === wanted.plan)} />
      )}
    </ActionDialog>
  );
}

function bodyOf({ plan, quantity, coupon, card, starts, date }: Wanted, user: string) {
  return {
    ...{ plan, quantity, user },
    coupon: coupon === '' ? null : coupon,
    payment_method: card === '' ? null : card,
    starting_date: starts === 'date' ? Date.parse(date) : null,
  };
}

interface PartProps {
  readonly wanted: Wanted;
  readonly want: (values: Partial<Wanted>) => void;
}

function CardField({ cards, wanted, want }: PartProps & { readonly cards: readonly Card[] }): ReactNode {
  return (
    <label className="field">
      <span>{T.newSubscription.card}</span>
      <select value={wanted.card} onChange={({ target }) => want({ card: target.value })}>
        <option value="">{T.newSubscription.noCard}</option>
        {cards.map((card) => (
          <option key={card._id} value={card._id}>
            {cardName(card)}
          </option>
        ))}
      </select>
    </label>
  );
}

function StartFields({ wanted, want }: PartProps): ReactNode {
  return (
    <>
      <label className="field">
        <span>{T.newSubscription.starts}</span>
        <select
          value={wanted.starts}
          onChange={({ target }) => want({ starts: STARTS[target.selectedIndex] ?? 'now' })}
        >
          {STARTS.map((one) => (
            <option key={one} value={one}>
              {T.newSubscription.times[one]}
            </option>
          ))}
        </select>
      </label>
      {wanted.starts === 'date' && (
        <label className="field">
          <span>{T.newSubscription.date}</span>
          <input
            type="date"
            required
            value={wanted.date}
            onChange={({ target }) => want({ date: target.value })}
          />
        </label>
      )}
    </>
  );
}

interface PreviewProps {
  readonly wanted: Wanted;
  readonly user: User;
  readonly plan: Plan | undefined;
}

/** The charges that would follow. */
function Preview({ wanted, user, plan }: PreviewProps): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['/subscriptions/preview', user._id, wanted],
    queryFn: () =>
      client.post('/subscriptions/preview', { body: { ...bodyOf(wanted, user._id), count: COUNT } }),
    enabled: wanted.starts !== 'later',
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (wanted.starts === 'later') return <Outcome lines={[T.newSubscription.waits]} />;
  if (error !== null) return <Trouble error={error} />;
  if (data === undefined || plan === undefined) return null;
  const lines = data.map(({ date, amount }) =>
    T.newSubscription.charge(day(date), money(amount, plan.currency)),
  );
  return (
    <div className="field">
      <span>{T.newSubscription.preview}</span>
      <Outcome lines={lines.length === 0 ? [T.newSubscription.nothing] : lines} />
    </div>
  );
}
