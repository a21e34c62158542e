import { useState, type ReactNode } from 'react';

import { day, money } from '../app/format';
import { PlanFields, usePlans } from '../forms/plan/plan-fields';
import type { Plan } from '../lists/names';
import { T } from '../texts';
import { Section, Trouble } from '../ui/parts';
import { TimeLine } from './time-line';
import type { Charge, Picture } from './model';
import type { FullHistory } from './subscription-history';
import { sumAhead, whatIf } from './what-if';
import { questionOf, standardDate, useCharges, type Given } from './what-if-charges';

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
  const { currency } = subscription;
  const plans = usePlans().filter((one) => one.currency === currency);
  const charges = useCharges(history, given);
  const plan = plans.find(({ _id }) => _id === given.plan) ?? history.plan;
  const failedBefore = questionOf(subscription) === 'anew' ? null : subscription.failed_attempts;
  const { cardFails } = given;
  const picture = charges.data && plan ? whatIf(charges.data, plan, { cardFails, failedBefore }, now) : null;
  const bands = [{ name: T.whatIf.real, picture: real }];
  if (picture !== null) bands.push({ name: T.whatIf.other, picture });
  return (
    <Section title={T.whatIf.title} aside={<span className="quiet small">{T.whatIf.lead}</span>}>
      <Assumed {...{ history, given, setGiven, plans }} />
      <Trouble error={charges.error} labels={T.dateNames} />
      {picture !== null && <Difference real={real} other={picture} currency={currency} />}
      <TimeLine {...{ bands, now, onOpen, currency }} />
    </Section>
  );
}

interface AssumedProps {
  readonly history: FullHistory;
  readonly given: Given;
  readonly setGiven: (given: Given) => void;
  readonly plans: readonly Plan[];
}

function Assumed({ history, given, setGiven, plans }: AssumedProps): ReactNode {
  const change = (values: Partial<Given>): void => setGiven({ ...given, ...values });
  const question = questionOf(history.subscription);
  return (
    <div className="assumptions">
      <PlanFields plans={plans} taken={given} onChange={change} />
      {question !== 'exchange' && (
        <label className="field">
          <span>{T.whatIf.date[question]}</span>
          <input type="date" value={given.date} onChange={({ target }) => change({ date: target.value })} />
        </label>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={given.cardFails}
          onChange={({ target }) => change({ cardFails: target.checked })}
        />
        <span>{T.whatIf.cardFails}</span>
      </label>
      <p className="quiet small whole-row">
        {question === 'exchange' ? T.whatIf.keepsDates : fromText(history, given.date)}
      </p>
    </div>
  );
}

/** The date from which the assumption holds. */
function fromText(history: FullHistory, date: string): string {
  const at = day(date === '' ? standardDate(history) : Date.parse(date));
  if (questionOf(history.subscription) === 'anew') return T.whatIf.anew(at);
  return date === '' ? T.whatIf.fromRenewal(at) : T.whatIf.fromDate(at);
}

interface DifferenceProps {
  readonly real: Picture;
  readonly other: Picture;
  readonly currency: string;
}

function Difference({ real, other, currency }: DifferenceProps): ReactNode {
  const [now, then] = [sumAhead(real), sumAhead(other)];
  return (
    <p className="difference" role="status">
      {T.whatIf.sum(now.charges, money(now.amount, currency))}
      {' → '}
      <strong>{T.whatIf.sum(then.charges, money(then.amount, currency))}</strong>
    </p>
  );
}
