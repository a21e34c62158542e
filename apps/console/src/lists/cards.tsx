import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';

import { words } from '../app/format';
import { useClient } from '../app/session';
import { T } from '../texts';

export type Card = Reply<'/payment_methods', 'get'>[number];

/** The newest cards of a customer. */
export function useCards(user: string): UseQueryResult<Card[]> {
  const client = useClient();
  return useQuery({
    queryKey: ['/payment_methods', user],
    queryFn: () => client.get('/payment_methods', { params: { query: { user, size: 20 } } }),
  });
}

/** The cards that can be charged, the first choice first. */
export function usableCards(cards: readonly Card[]): Card[] {
  const saved = cards.filter(({ status }) => status === 'ACTIVE');
  return [...saved.filter((one) => one.default), ...saved.filter((one) => !one.default)];
}

export function cardName({ brand, last4 }: Card): string {
  return last4 === null ? T.customer.plainCard : T.customer.card(words(brand ?? ''), last4);
}
