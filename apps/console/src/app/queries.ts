import { QueryClient } from '@tanstack/react-query';
import { CommerceUnavailable } from 'commerce-service-client';

const AGAIN_MS = 3000;

/**
 * Shows cached data immediately and refreshes it in the background. The client retries safe requests; an unreachable
 * service is polled until it is back.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      // Only a request shows whether the service is reachable: it may run on this very machine.
      networkMode: 'always',
      staleTime: 5000,
      refetchInterval: ({ state }) => (state.error instanceof CommerceUnavailable ? AGAIN_MS : false),
    },
    mutations: { networkMode: 'always' },
  },
});
