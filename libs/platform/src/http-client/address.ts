import ipaddr from 'ipaddr.js';

/**
 * True when an IP address is reachable from the whole internet. An IPv6 address that carries an IPv4 one (mapped,
 * NAT64, 6to4, Teredo) is judged by the one inside: otherwise `::ffff:127.0.0.1` would lead to this machine.
 * Anything that is no address is not global.
 */
export function isGlobalAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return address.kind() === 'ipv4'
    ? isGlobalV4(address as ipaddr.IPv4)
    : isGlobalV6((address as ipaddr.IPv6).parts);
}

function isGlobalV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast';
}

/** `parts` are the eight groups of 16 bits. */
function isGlobalV6(parts: readonly number[]): boolean {
  const inside = embeddedV4(parts);
  if (inside.length > 0) return inside.every(isGlobalV4);
  // Only 2000::/3 was ever handed out; the library calls everything that is in no list of its own unicast.
  if (((parts[0] ?? 0) & 0xe000) !== 0x2000) return false;
  return new ipaddr.IPv6([...parts]).range() === 'unicast';
}

/** The IPv4 addresses within an IPv6 address; empty when it carries none. */
function embeddedV4(parts: readonly number[]): ipaddr.IPv4[] {
  const at = (index: number): ipaddr.IPv4 => v4(parts[index] ?? 0, parts[index + 1] ?? 0);
  const leading = parts.slice(0, 6).join();
  if (leading === '0,0,0,0,0,65535') return [at(6)];
  if (leading === '0,0,0,0,65535,0') return [at(6)];
  if (leading === '100,65435,0,0,0,0') return [at(6)];
  if (parts[0] === 0x2002) return [at(1)];
  if (parts[0] === 0x2001 && parts[1] === 0) {
    // Teredo holds its server unchanged and its client with every bit inverted.
    return [at(2), v4((parts[6] ?? 0) ^ 0xffff, (parts[7] ?? 0) ^ 0xffff)];
  }
  return [];
}

function v4(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

/** Names that mean this machine on every machine (RFC 6761); no resolver is asked. */
export function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost');
}
