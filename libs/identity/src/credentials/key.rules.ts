import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Mode } from '../companies/company.record.js';
import type { CredentialKind } from './credential.record.js';

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
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares a secret with the hash of the right one, in constant time. */
export function matches(secret: string, hash: string): boolean {
  const given = Buffer.from(hashOf(secret), 'hex');
  const right = Buffer.from(hash, 'hex');
  return given.length === right.length && timingSafeEqual(given, right);
}
