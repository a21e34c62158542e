import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { CommerceProblem, type CommerceClient, type Reply, type paths } from 'commerce-service-client';

import { useClient } from '../../app/session';

export type LoggedEvent = Reply<'/events', 'get'>[number];

/** Events that the page keeps; older ones leave it. */
export const MOST_SHOWN = 200;

/** Events of the first read, and of each that follows. */
const FIRST = 50;
const PAGE = 100;

const FOLLOW_MS = 2000;

type Kind = NonNullable<NonNullable<paths['/events']['get']['parameters']['query']>['kind']>;

export interface EventFilter {
  readonly kind?: Kind;
  /** The id of a record. */
  readonly object?: string;
}

/** The end of the event log, oldest first; while it follows, new events are added. */
export function useEventLog(filter: EventFilter, isPaused: boolean): UseQueryResult<readonly LoggedEvent[]> {
  const client = useClient();
  const cache = useQueryClient();
  const queryKey = ['/events', 'follow', filter];
  return useQuery({
    queryKey,
    queryFn: () => followed(client, filter, cache.getQueryData<readonly LoggedEvent[]>(queryKey) ?? []),
    refetchInterval: isPaused ? false : FOLLOW_MS,
    refetchOnWindowFocus: !isPaused,
    staleTime: isPaused ? Infinity : 0,
  });
}

async function followed(
  client: CommerceClient,
  filter: EventFilter,
  known: readonly LoggedEvent[],
): Promise<readonly LoggedEvent[]> {
  const after = known.at(-1)?.id;
  if (after === undefined) return newest(client, filter);
  try {
    const query = { ...filter, after, size: PAGE };
    return [...known, ...(await client.get('/events', { params: { query } }))].slice(-MOST_SHOWN);
  } catch (error) {
    // The last event was removed from the log: the page begins again.
    if (error instanceof CommerceProblem && error.status === 410) return newest(client, filter);
    throw error;
  }
}

function newest(client: CommerceClient, filter: EventFilter): Promise<readonly LoggedEvent[]> {
  return client.get('/events', { params: { query: { ...filter, newest: true, size: FIRST } } });
}
