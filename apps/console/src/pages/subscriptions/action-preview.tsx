import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';

import { day, money } from '../../app/format';
import { useClient } from '../../app/session';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { Outcome } from '../../ui/outcome';
import { Note, Trouble } from '../../ui/parts';

/** The charges of a preview that are shown; the others are counted. */
const SHOWN = 3;
const COUNT = 12;

type Preview = Reply<'/subscriptions/{id}/preview', 'get'>;
export type Previewed = NonNullable<Preview['action']>;

/** The action, as the service's preview takes it. */
export type Asked =
  | { readonly start: 'now' | number; readonly reanchor?: boolean }
  | { readonly stop: 'now' | number }
  | { readonly pause: 'now'; readonly resume_at?: number };

interface ActionPreviewProps {
  readonly subscription: Subscription;
  /** Null while its fields are incomplete. */
  readonly asked: Asked | null;
  /** The lines about the action itself, before those about money. */
  readonly lines: (action: Previewed) => readonly string[];
}

/** The charges, refunds and end that an action would have, as the service computes them. */
export function ActionPreview({ subscription, asked, lines }: ActionPreviewProps): ReactNode {
  const { _id: id, currency } = subscription;
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['/subscriptions/{id}', id, 'preview', asked],
    queryFn: () =>
      client.get('/subscriptions/{id}/preview', {
        params: { path: { id }, query: { count: COUNT, ...asked } },
      }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  });
  if (asked === null) return null;
  if (error !== null) return <Trouble error={error} labels={T.dateNames} />;
  if (data?.action == null) return <Note>{T.loading}</Note>;
  const held = subscription.held === null ? [] : [T.outcome.held];
  return <Outcome lines={[...lines(data.action), ...moneyOf(data, data.action, currency), ...held]} />;
}

function moneyOf({ charges }: Preview, action: Previewed, currency: string): string[] {
  const { refunds, cancelled_at, outstanding_amount } = action;
  const back = refunds.flatMap(({ date, amount, to_balance }) => [
    ...(amount > 0 ? [T.outcome.toCard(day(date), money(amount, currency))] : []),
    ...(to_balance > 0 ? [T.outcome.toBalance(day(date), money(to_balance, currency))] : []),
  ]);
  const due = charges
    .slice(0, SHOWN)
    .map(({ date, amount }) => T.outcome.charge(day(date), money(amount, currency)));
  const isFree = back.length + due.length === 0;
  return [
    ...due,
    ...(charges.length > SHOWN ? [T.outcome.more(charges.length - SHOWN, charges.length === COUNT)] : []),
    ...back,
    ...(isFree ? [T.outcome.free] : []),
    ...(outstanding_amount > 0 ? [T.outcome.owed(money(outstanding_amount, currency))] : []),
    ...(cancelled_at === null ? [] : [T.outcome.closed(day(cancelled_at))]),
  ];
}
