import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

import { DAY_MS, fault, fieldFault } from '@commerce/kernel';

import type { Mode } from '../companies/company.record.js';
import type { CredentialKind, CredentialRecord } from './credential.record.js';

/** The longest time that a rolled key works beside its successor: a leaked one cannot be kept alive unnoticed. */
const MAX_OVERLAP_MS = 7 * DAY_MS;

/** A key in the form its holder sees: `pk_<mode>_<id>_<secret>` is an API key, `sk_…` a service key. */
export interface KeyText {
  readonly kind: CredentialKind;
  readonly mode: Mode;
  readonly id: string;
  readonly secret: string;
}

const FORM = /^(pk|sk)_(test|live)_([0-9a-f]{24})_([0-9a-f]{64})$/;

/** Parses a key; null when the text is not a key. */
export function readKey(text: string): KeyText | null {
  const [, prefix, mode, id, secret] = FORM.exec(text) ?? [];
  if (prefix === undefined || mode === undefined || id === undefined || secret === undefined) return null;
  return { kind: prefix === 'pk' ? 'api' : 'service', mode: mode as Mode, id, secret };
}

export function writeKey(key: KeyText): string {
  return `${key.kind === 'api' ? 'pk' : 'sk'}_${key.mode}_${key.id}_${key.secret}`;
}

/** 256 random bits: they cannot be guessed, so no slow hash is needed. */
export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

export function hashOf(secret: string): string {
  return hash('sha256', secret);
}

/** Compares a secret with the hash of the right one, in constant time. */
export function matches(secret: string, kept: string): boolean {
  const given = hash('sha256', secret, 'buffer');
  const right = Buffer.from(kept, 'hex');
  return given.length === right.length && timingSafeEqual(given, right);
}

type Lifetime = Pick<CredentialRecord, 'expires' | 'revoked'>;

/** Whether a key is accepted at this time. */
export function isLive({ expires, revoked }: Lifetime, now: Date): boolean {
  return revoked === null && (expires === null || expires > now);
}

/** @throws Fault `value.invalid` for a date that has passed */
export function requireAhead(expires: Date | null, now: Date): void {
  if (expires !== null && expires <= now) throw fieldFault('expires', 'expires must lie in the future');
}

/**
 * The expiry of a key that another one makes: never after its maker's.
 * @throws Fault `value.invalid` naming `expires` for a later date
 */
export function expiryWithin(maker: Lifetime, asked: Date | null, now: Date): Date | null {
  requireAhead(asked, now);
  if (asked === null || maker.expires === null) return asked ?? maker.expires;
  if (asked <= maker.expires) return asked;
  const end = maker.expires.toISOString();
  throw fieldFault('expires', `expires must not lie after ${end}, when the key expires that makes it`);
}

/**
 * The end of a rolled key's overlap with its successor; null: it ends immediately.
 * @throws Fault `value.invalid` naming `expires` where it would live longer than before, or for too long
 */
export function overlapEnd(rolled: Lifetime, asked: Date | null, now: Date): Date | null {
  requireAhead(asked, now);
  if (asked === null) return null;
  if (rolled.expires !== null && asked > rolled.expires)
    throw fieldFault('expires', 'expires must not lie after the date when the key expires already');
  if (asked.getTime() - now.getTime() > MAX_OVERLAP_MS)
    throw fieldFault('expires', 'expires must lie within seven days');
  return asked;
}

/**
 * Allows a service key to roll itself and the keys that end with it: if it could roll its own maker, an
 * expiring key could create one that does not expire. Any admin may roll an API key, which gives access to public data
 * only.
 * @param below the keys that end with the caller's
 * @throws Fault `key.roll_forbidden`, and `key.state_conflict` for a key that has ended or has a successor
 */
export function requireRollable(
  key: CredentialRecord,
  caller: CredentialRecord,
  below: readonly CredentialRecord[],
  now: Date,
): void {
  if (!isLive(key, now) || key.successor !== null)
    throw fault('key.state_conflict', 'A key that is revoked, expired or rolled already cannot be rolled');
  if (key.kind === 'api' || [caller, ...below].some(({ _id }) => _id.equals(key._id))) return;
  const message = 'A service key can roll API keys, itself and the keys that end with it';
  throw fault('key.roll_forbidden', message);
}
