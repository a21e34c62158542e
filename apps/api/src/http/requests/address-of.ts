import { isIPv6 } from 'node:net';

import type { Request } from 'express';

/**
 * The address that a request is counted by. Of IPv6 that is the /64: a customer is given so many addresses, and may
 * use another for each request.
 */
export function addressOf({ ip = 'unknown' }: Pick<Request, 'ip'>): string {
  const [address = ''] = ip.split('%');
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // The parser writes every address in one way, and the last 32 bits of a mixed one in hexadecimal digits.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = text.split('::');
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const missing = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');
  return [...(first ?? []), ...missing, ...(last ?? [])];
}
