import { createCommerceClient, type CommerceClient } from 'commerce-service-client';
import { createContext, useContext } from 'react';

/**
 * The signed-in session. It lives in the memory of this tab; the user may choose to keep its keys over a reload. Another
 * tab asks for them again.
 */
export interface Session {
  readonly client: CommerceClient;
  readonly isTest: boolean;
  /** The ids of the keys. */
  readonly keys: readonly string[];
  /** Replaces one of the keys by another of the same kind. */
  readonly goOnWith: (text: string) => void;
  readonly signOut: () => void;
}

export interface KeyTexts {
  readonly apiKey: string;
  readonly serviceKey: string;
}

export const SessionContext = createContext<Session | null>(null);

/** @throws Error outside of a session */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}

export function useClient(): CommerceClient {
  return useSession().client;
}

/** The id inside a key's text: `sk_test_<id>_<secret>`. */
export function idOfKey(text: string): string {
  return text.split('_')[2] ?? '';
}

/** A client of the service that served this page, with these keys. */
export function clientWith({ apiKey, serviceKey }: KeyTexts): CommerceClient {
  return createCommerceClient({
    baseUrl: location.origin,
    apiKey,
    bearer: serviceKey,
    retry: { attempts: 2, maxWaitMs: 1000 },
    timeoutMs: 20_000,
  });
}
