import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { useClient } from '../app/session';
import { T } from '../texts';
import { Pending } from '../ui/parts';

const LONG_MS = 60_000;

export type Plan = Reply<'/plans/{id}', 'get'>;
export type User = Reply<'/users/{id}', 'get'>;

export function usePlan(id: string | null): UseQueryResult<Plan> {
  const client = useClient();
  return useQuery({
    queryKey: ['/plans/{id}', id],
    queryFn: () => client.get('/plans/{id}', { params: { path: { id: id ?? '' } } }),
    enabled: id !== null,
    staleTime: LONG_MS,
  });
}

export function useUser(id: string | null): UseQueryResult<User> {
  const client = useClient();
  return useQuery({
    queryKey: ['/users/{id}', id],
    queryFn: () => client.get('/users/{id}', { params: { path: { id: id ?? '' } } }),
    enabled: id !== null,
    staleTime: LONG_MS,
  });
}

/** Shows the name behind an id. It is read once, when its row comes into sight. */
export function PlanName({ id }: { readonly id: string }): ReactNode {
  const { data, isPending } = usePlan(id);
  if (isPending) return <Pending />;
  return data?.name ?? data?.human_id ?? T.unnamed;
}

export function UserName({ id }: { readonly id: string }): ReactNode {
  const { data, isPending } = useUser(id);
  if (isPending) return <Pending />;
  return data?.name ?? data?.email ?? data?.human_id ?? T.unnamed;
}

export function UserLink({ id }: { readonly id: string }): ReactNode {
  return (
    <Link href={`/users/${id}`}>
      <UserName id={id} />
    </Link>
  );
}
