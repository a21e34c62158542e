import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

import { DAY_MS, fault, fieldFault } from '@commerce/kernel';

import type { Mode } from '../companies/company.record.js';
import type { CredentialKind, CredentialRecord } from './credential.record.js';

/** For how long at most a rolled key works beside its successor: a leaked one cannot be kept alive unnoticed. */
const MAX_OVERLAP_MS = 7 * DAY_MS;

/** A key as its holder sees it: `pk_<mode>_<id>_<secret>` for the API, `sk_…` for a service account. */
export interface KeyText {
  readonly kind: CredentialKind;
  readonly mode: Mode;
  readonly id: string;
  readonly secret: string;
}

const FORM = /^(pk|sk)_(test|live)_([0-9a-f]{24})_([0-9a-f]{64})$/;

/** Takes a key apart; null when the text is not a key. */
export function readKey(text: string): KeyText | null {
  const [, prefix, mode, id, secret] = FORM.exec(text) ?? [];
  if (prefix === undefined || mode === undefined || id === undefined || secret === undefined) return null;
  return { kind: prefix === 'pk' ? 'api' : 'service', mode: mode as Mode, id, secret };
}

export function writeKey(key: KeyText): string {
  return `${key.kind === 'api' ? 'pk' : 'sk'}_${key.mode}_${key.id}_${key.secret}`;
}

/** 256 random bits: nobody can guess them, so no slow hash is needed. */
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
 * When a key expires that another one makes: never after its maker.
 * @throws Fault `value.invalid` naming `expires` where it is asked to
 */
export function expiryWithin(maker: Lifetime, asked: Date | null, now: Date): Date | null {
  requireAhead(asked, now);
  if (asked === null || maker.expires === null) return asked ?? maker.expires;
  if (asked <= maker.expires) return asked;
  const end = maker.expires.toISOString();
  throw fieldFault('expires', `expires must not lie after ${end}, when the key expires that makes it`);
}

/**
 * Until when a rolled key works beside its successor; null: it ends at once.
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
 * A service account key rolls itself and what ends with it. If it could roll its own maker, a key that is to end soon
 * could make itself one that does not. An API key gives access to nothing that is not public: any Admin rolls it.
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
  const message = 'A service account key can roll API keys, itself and the keys that end with it';
  throw fault('key.roll_forbidden', message);
}
