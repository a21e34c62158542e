import { isIPv6 } from 'node:net';

import type { Request } from 'express';

/**
 * The address to count a request by. For IPv6 it is the /64: a customer receives that many addresses and may use
 * another for each request.
 */
export function addressOf({ ip = 'unknown' }: Pick<Request, 'ip'>): string {
  const [address = ''] = ip.split('%');
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // The URL parser normalizes every address, and writes the last 32 bits of a mixed one in hexadecimal.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = text.split('::');
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const missing = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');
  return [...(first ?? []), ...missing, ...(last ?? [])];
}
