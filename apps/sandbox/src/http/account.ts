import { hash } from 'node:crypto';
import { unauthenticated } from './refusal.js';

const REMEMBERED = 10_000;
const accounts = new Map<string, string>();

/** The key of `Bearer <key>` or of Basic with the key as user name; undefined when none is shown. */
export function keyIn(authorization: string | undefined): string | undefined {
  const [scheme, value] = (authorization ?? '').split(' ', 2);
  if (value === undefined || value === '') return undefined;
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() !== 'basic') return undefined;
  return Buffer.from(value, 'base64').toString('utf8').split(':', 1)[0];
}

export const isPublishable = (key: string): boolean => /^pk_test_\w+$/.test(key);

/** The account of a secret test key: each key has its own. Only a hash of the key is ever kept. */
export function accountOf(key: string | undefined): string {
  if (key === undefined || key === '') {
    throw unauthenticated(
      'No API key was given: send one as Bearer token or as user name of Basic authentication',
    );
  }
  const known = accounts.get(key);
  if (known !== undefined) return known;
  if (/^(sk|rk)_live_/.test(key))
    throw unauthenticated('This is a sandbox: it takes test keys only (sk_test_…)');
  if (!/^sk_test_\w+$/.test(key)) throw unauthenticated(`Invalid API key: ${redacted(key)}`);
  const account = `acct_${hash('sha256', key).slice(0, 16)}`;
  if (accounts.size >= REMEMBERED) accounts.clear();
  accounts.set(key, account);
  return account;
}

/** Publishable keys belong to the secret key with the same ending. */
export const accountOfPublishable = (key: string): string => accountOf(key.replace(/^pk_/, 'sk_'));

const redacted = (key: string): string =>
  key.length <= 12 ? '***' : `${key.slice(0, 8)}***${key.slice(-4)}`;
