import { QueryClient } from '@tanstack/react-query';
import { CommerceUnavailable } from 'commerce-service-client';

const AGAIN_MS = 3000;

/**
 * What was read is shown at once when it is looked at again, and read anew behind it. The client repeats what may
 * be repeated; a service that is away is asked again until it is back.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      // Whether the service can be reached is found out by asking it: it may run on this very machine.
      networkMode: 'always',
      staleTime: 5000,
      refetchInterval: ({ state }) => (state.error instanceof CommerceUnavailable ? AGAIN_MS : false),
    },
    mutations: { networkMode: 'always' },
  },
});
