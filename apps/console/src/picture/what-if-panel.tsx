import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { money } from '../app/format';
import { useClient } from '../app/session';
import { PlanFields, usePlans, type Taken } from '../forms/plan-fields';
import type { Plan } from '../lists/names';
import { T } from '../texts';
import { Section, Trouble } from '../ui/parts';
import { TimeLine } from './time-line';
import type { Charge, Picture } from './model';
import type { FullHistory } from './subscription-history';
import { sumAhead, whatIf } from './what-if';

const COUNT = 12;

interface Given extends Taken {
  readonly date: string;
  readonly cardFails: boolean;
}

interface WhatIfProps {
  readonly history: FullHistory;
  readonly real: Picture;
  readonly onOpen: (charge: Charge) => void;
}

/** Shows the same subscription with another plan, date, quantity or card below the real one. Nothing is stored. */
export function WhatIf({ history, real, onOpen }: WhatIfProps): ReactNode {
  const { subscription, now } = history;
  const [given, setGiven] = useState<Given>({
    plan: subscription.plan,
    date: '',
    quantity: subscription.quantity,
    coupon: '',
    cardFails: false,
  });
  const plans = usePlans();
  const preview = usePreview(history, given);
  const plan = plans.find(({ _id }) => _id === given.plan) ?? history.plan;
  const picture = preview.data && plan ? whatIf(preview.data, plan, given, now) : null;
  const { currency } = subscription;
  const bands = [{ name: T.whatIf.real, picture: real }];
  if (picture !== null) bands.push({ name: T.whatIf.other, picture });
  return (
    <Section title={T.whatIf.title} aside={<span className="quiet small">{T.whatIf.lead}</span>}>
      <Assumed {...{ given, setGiven, plans }} />
      <Trouble error={preview.error} />
      {picture !== null && plan !== undefined && (
        <Difference real={real} other={picture} currencies={[currency, plan.currency]} />
      )}
      <TimeLine {...{ bands, now, onOpen }} currency={plan?.currency ?? currency} />
    </Section>
  );
}

function usePreview({ subscription, now }: FullHistory, { plan, date, quantity, coupon }: Given) {
  const client = useClient();
  const { user, _id: id } = subscription;
  const starting_date = date === '' ? now : Date.parse(date);
  return useQuery({
    queryKey: ['/subscriptions/preview', id, plan, quantity, coupon, starting_date],
    queryFn: () => {
      const taken = { plan, quantity, coupon: coupon === '' ? null : coupon };
      return client.post('/subscriptions/preview', {
        body: { ...taken, user, starting_date, count: COUNT },
      });
    },
    placeholderData: keepPreviousData,
    // The passing of real time alone does not change the question.
    staleTime: Infinity,
  });
}

interface AssumedProps {
  readonly given: Given;
  readonly setGiven: (given: Given) => void;
  readonly plans: readonly Plan[];
}

function Assumed({ given, setGiven, plans }: AssumedProps): ReactNode {
  const change = (values: Partial<Given>): void => setGiven({ ...given, ...values });
  return (
    <div className="assumptions">
      <PlanFields plans={plans} taken={given} onChange={change} />
      <label className="field">
        <span>{T.whatIf.date}</span>
        <input type="date" value={given.date} onChange={({ target }) => change({ date: target.value })} />
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={given.cardFails}
          onChange={({ target }) => change({ cardFails: target.checked })}
        />
        <span>{T.whatIf.cardFails}</span>
      </label>
    </div>
  );
}

interface DifferenceProps {
  readonly real: Picture;
  readonly other: Picture;
  readonly currencies: readonly [string, string];
}

function Difference({ real, other, currencies: [currency, otherCurrency] }: DifferenceProps): ReactNode {
  const [now, then] = [sumAhead(real), sumAhead(other)];
  return (
    <p className="difference" role="status">
      {T.whatIf.sum(now.charges, money(now.amount, currency))}
      {' → '}
      <strong>{T.whatIf.sum(then.charges, money(then.amount, otherCurrency))}</strong>
    </p>
  );
}
