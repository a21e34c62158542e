import type { RedisSettings } from '../config/config.js';
import { databaseIn } from '../config/redis-settings.js';

/** An address in the form of the client's options. */
interface RedisNode {
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number;
  readonly tls: object | undefined;
}

export function nodeAt(address: string, mode: RedisSettings['mode']): RedisNode {
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  const textOf = (part: string): string | undefined => (part === '' ? undefined : decodeURIComponent(part));
  return {
    // Brackets are the URL's, not the address's.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || (mode === 'sentinel' ? 26_379 : 6379)),
    username: textOf(username),
    password: textOf(password),
    db: databaseIn(pathname),
    tls: protocol === 'rediss:' ? {} : undefined,
  };
}

/** An address as it may be shown. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  url.search = '';
  return url.href;
}
