import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Resolver } from 'node:dns/promises';

import { isGlobalAddress } from './address.js';

/** Resolves a host name to all of its addresses. */
export type ResolveName = (host: string) => Promise<readonly LookupAddress[]>;

/** Code of the error when a name has addresses, but none that may be called. */
export const REFUSED = 'ENDPOINT_REFUSED';

/**
 * A lookup that lets a socket see global addresses only. It judges at every connection, because a name may mean
 * another address than it did when it was checked. Sockets do not call it for hosts that are addresses already.
 */
export function guardedLookup(resolve: ResolveName): LookupFunction {
  return (host, options: LookupOptions, answer) => {
    resolve(host).then(
      (all) => {
        const global = all.filter(({ address }) => isGlobalAddress(address));
        const wanted = global.filter(({ family }) => !options.family || family === options.family);
        const [first] = wanted;
        if (first === undefined) answer(refusal(host), []);
        else if (options.all === true) answer(null, wanted);
        else answer(null, first.address, first.family);
      },
      (error: unknown) => answer(error as NodeJS.ErrnoException, []),
    );
  };
}

function refusal(host: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(
    `${host} has no address that is reachable from the internet`,
  );
  error.code = REFUSED;
  return error;
}

/**
 * Asks the name servers directly. The system's own lookup would run on one of four threads, so that four names
 * with a dead name server would hold up every other endpoint.
 */
export function resolveByNameServers(servers?: readonly string[]): ResolveName {
  const resolver = new Resolver({ timeout: 1500, tries: 1 });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}

/** The system's lookup, which also knows the names of this machine and of a container network. */
export const unguardedLookup: LookupFunction = lookup;
