import { useQuery } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';

import { now } from '../app/clock';
import { useClient } from '../app/session';
import { usePlan, useUser, type Plan, type User } from '../lists/names';
import type { SubscriptionHistory } from './model';

export type TestClock = Reply<'/test_clocks/{id}', 'get'>;

const MOVING_MS = 400;
const AHEAD = 12;
/** The maximum size of a page. */
const MOST = 100;

export interface FullHistory extends SubscriptionHistory {
  readonly plan: Plan | undefined;
  readonly user: User | undefined;
  readonly clock: TestClock | null;
}

/** All data of a subscription's picture; null until it is loaded. */
export function useHistory(id: string): {
  readonly history: FullHistory | null;
  readonly error: Error | null;
} {
  const client = useClient();
  const path = { path: { id } };
  const key = ['/subscriptions/{id}', id];
  const subscription = useQuery({
    queryKey: key,
    queryFn: () => client.get('/subscriptions/{id}', { params: path }),
  });
  const payments = useQuery({
    queryKey: [...key, 'payments'],
    queryFn: () => client.get('/subscriptions/{id}/payments', { params: { ...path, query: { size: MOST } } }),
  });
  const upcoming = useQuery({
    queryKey: [...key, 'preview'],
    queryFn: () =>
      client.get('/subscriptions/{id}/preview', { params: { ...path, query: { count: AHEAD } } }),
  });
  const events = useQuery({
    queryKey: [...key, 'events'],
    queryFn: () => client.get('/events', { params: { query: { object: id, size: MOST } } }),
  });
  const plan = usePlan(subscription.data?.plan ?? null).data;
  const user = useUser(subscription.data?.user ?? null).data;
  const clock = useClock(user?.test_clock ?? null);
  const error = [subscription, payments, upcoming, events].find((one) => one.error !== null)?.error ?? null;
  const isWhole = subscription.data && payments.data && upcoming.data && events.data && user;
  const isClockKnown = user?.test_clock === null || clock !== null;
  if (!isWhole || !isClockKnown) return { history: null, error };
  const history = {
    subscription: subscription.data,
    payments: payments.data,
    upcoming: upcoming.data.charges,
    events: events.data,
    now: Number(clock?.frozen_time ?? now()),
    plan,
    user,
    clock,
  };
  return { history, error };
}

function useClock(id: string | null): TestClock | null {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['/test_clocks/{id}', id],
    queryFn: () => client.get('/test_clocks/{id}', { params: { path: { id: id ?? '' } } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'advancing' ? MOVING_MS : false),
  });
  return data ?? null;
}
