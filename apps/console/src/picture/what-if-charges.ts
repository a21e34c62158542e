import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';

import { useClient } from '../app/session';
import type { Taken } from '../forms/plan/plan-fields';
import type { Subscription, Upcoming } from './model';
import type { FullHistory } from './subscription-history';

const COUNT = 12;

export interface Given extends Taken {
  /** As the date input has it; empty for the next renewal. */
  readonly date: string;
  readonly cardFails: boolean;
}

/**
 * How the service is asked: `renewal` and `date` as a change of the running subscription, `exchange` as one that keeps
 * all dates, `anew` as another subscription of this customer where this one will not be charged by itself.
 */
export type Question = 'renewal' | 'exchange' | 'anew';

export function questionOf({ status, resume_at }: Pick<Subscription, 'status' | 'resume_at'>): Question {
  switch (status) {
    case 'ACTIVE':
      return 'renewal';
    case 'FUTURE':
      return 'exchange';
    case 'PAUSED':
      return resume_at === null ? 'anew' : 'exchange';
    case 'CREATED':
    case 'NON_RENEWING':
    case 'COMPLETED':
    case 'CANCELLED':
      return 'anew';
  }
}

/** The date from which the question counts where no date is given. */
export function standardDate({ subscription, now }: FullHistory): number {
  const { current_billing_date_period_end: end, ending_date } = subscription;
  if (questionOf(subscription) === 'renewal') return Number(end ?? now);
  return Math.max(now, Number(ending_date ?? now));
}

/** The charges that would follow, computed by the service; nothing is stored. */
export function useCharges(history: FullHistory, given: Given): UseQueryResult<readonly Upcoming[]> {
  const client = useClient();
  const { user, _id: id } = history.subscription;
  const { plan, quantity, coupon, date } = given;
  const question = questionOf(history.subscription);
  const taken = { plan, quantity, coupon: coupon === '' ? null : coupon, count: COUNT };
  const at = date === '' ? standardDate(history) : Date.parse(date);
  return useQuery({
    queryKey: ['/subscriptions/preview', id, question, taken, at],
    queryFn: async (): Promise<readonly Upcoming[]> => {
      if (question === 'anew') {
        return client.post('/subscriptions/preview', { body: { ...taken, user, starting_date: at } });
      }
      const changed = date === '' ? 'period_end' : at;
      const { charges } = await client.post('/subscriptions/{id}/change/preview', {
        params: { path: { id } },
        body: { ...taken, at: question === 'renewal' ? changed : 'now' },
      });
      return charges;
    },
    placeholderData: keepPreviousData,
    // The passing of real time alone does not change the question.
    staleTime: Infinity,
  });
}
