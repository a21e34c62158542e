import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { useClient } from '../app/session';
import { useRested } from '../ui/use-rested';

/** The fewest letters to search by. */
export const LEAST = 2;
/** A search begins when nothing was typed for so long. */
const PAUSE_MS = 180;

/** The results for what was typed, once the typing rests; the previous ones stay until then. */
export function useSearch(typed: string) {
  const client = useClient();
  const text = typed.trim();
  const asked = useRested(text, PAUSE_MS);
  const isAsked = asked.length >= LEAST;
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['/search', asked],
    queryFn: ({ signal }) => client.get('/search', { params: { query: { query: asked } }, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const isSearching =
    asked !== text || (isFetching && isPlaceholderData) || (isFetching && data === undefined);
  return { found: isAsked ? (data?.results ?? []) : [], asked, isSearching, error };
}
