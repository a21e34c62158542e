import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { away, day, money } from '../../app/format';
import { priceText } from '../../app/terms';
import type { FullHistory } from '../../picture/subscription-history';
import { T } from '../../texts';
import { Facts } from '../../ui/facts';
import { Section } from '../../ui/parts';
import { PendingChange } from './change-plan';

type Fact = readonly [string, ReactNode];

/** The terms of a subscription, in words and numbers. */
export function SubscriptionFacts({ history }: { readonly history: FullHistory }): ReactNode {
  const { subscription: one } = history;
  return (
    <Section title={T.subscription.facts}>
      <Facts facts={factsOf(history)} />
      {one.note !== null && <p className="quiet note-below">{one.note}</p>}
    </Section>
  );
}

function factsOf({ subscription: one, plan, now }: FullHistory): Fact[] {
  const [start, end] = [one.current_billing_date_period_start, one.current_billing_date_period_end];
  const next = one.next_billing_date;
  return [
    ...(plan === undefined ? [] : planFacts(plan, one.quantity)),
    [T.subscription.started, day(one.starting_date)],
    ...(start === null ? [] : [[T.subscription.period, `${day(start)} – ${day(end)}`] as const]),
    ...(one.in_trial ? [[T.subscription.trialEnds, day(one.trial_ending_date)] as const] : []),
    [T.subscription.next, next === null ? T.none : `${day(next)} · ${away(next, now)}`],
    ...(one.resume_at === null ? [] : [[T.subscription.resumes, day(one.resume_at)] as const]),
    [T.subscription.ends, one.ending_date === null ? T.subscription.noEnd : day(one.ending_date)],
    ...pendingOf(one),
    [T.subscription.owed, money(one.outstanding_amount, one.currency)],
    [T.id, <code key="id">{one.human_id}</code>],
  ];
}

function planFacts(plan: NonNullable<FullHistory['plan']>, quantity: number): Fact[] {
  return [
    [
      T.subscription.plan,
      <Link key="plan" href={`/plans?id=${plan._id}`}>
        {plan.name ?? plan.human_id}
      </Link>,
    ],
    [T.subscription.price, priceText(plan)],
    [T.subscription.quantity, quantity],
  ];
}

function pendingOf({ _id: id, pending_change: pending }: FullHistory['subscription']): Fact[] {
  if (pending === null) return [];
  return [[T.changePlan.pending, <PendingChange key="pending" {...{ id, pending }} />]];
}
