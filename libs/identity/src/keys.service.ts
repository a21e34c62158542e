import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import {
  SystemClock,
  UnitsOfWork,
  retryOnConflict,
  parseId,
  makeRecord,
  newId,
  type Id,
} from '@commerce/platform';

import type { Mode } from './company.record.js';
import { CredentialRecord, type CredentialKind } from './credential.record.js';
import { CredentialStore } from './credential.store.js';
import { hashOf, matches, newSecret, readKey, writeKey } from './key.rules.js';
import { Recent } from './recent.js';

/** `last_used` is written at most this often for one key. */
const USED_EVERY_MS = 60_000;

/** API keys and service account keys. */
@Injectable()
export class Keys {
  private readonly recent = new Recent((id: string) => this.look(id));

  constructor(
    private readonly store: CredentialStore,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /** Makes a key. Its text is given back this once and cannot be had again. */
  async create(
    company: Id,
    kind: CredentialKind,
    mode: Mode,
    expires: Date | null = null,
  ): Promise<{ key: string; record: CredentialRecord }> {
    const now = this.clock.now();
    const secret = newSecret();
    const _id = newId();
    const work = this.units.begin(company, now);
    const record = makeRecord(
      CredentialRecord,
      { _id, company, kind, mode, expires, secret_hash: hashOf(secret) },
      now,
    );
    work.insert(this.store, record);
    await work.commit();
    return { key: writeKey({ kind, mode, id: _id.toHexString(), secret }), record };
  }

  async list(company: Id): Promise<CredentialRecord[]> {
    return this.store.in(company).many({}, { sort: { created: 1 } });
  }

  /** Ends a key; within five seconds no process takes it any more. */
  async revoke(company: Id, id: string): Promise<CredentialRecord> {
    return retryOnConflict(async () => {
      const before = await this.store.in(company).get(id);
      const now = this.clock.now();
      const work = this.units.begin(company, now);
      const after = work.update(this.store, before, { revoked: before.revoked ?? now });
      await work.commit();
      this.recent.forget(id);
      return after;
    });
  }

  /**
   * The credential behind a key's text.
   * @throws Fault `key.invalid` for whatever is wrong with it, always the same
   */
  async verify(text: string, kind: CredentialKind): Promise<CredentialRecord> {
    const key = readKey(text);
    if (key?.kind !== kind) throw invalid(kind);
    const found = await this.recent.get(key.id);
    // Compared even when there is none, so that the time tells nothing of which ids exist.
    const right = matches(key.secret, found?.secret_hash ?? hashOf(''));
    const now = this.clock.now();
    if (found === null || !right || found.kind !== kind || found.mode !== key.mode) throw invalid(kind);
    if (found.revoked !== null || (found.expires !== null && found.expires <= now)) throw invalid(kind);
    this.noteUse(found, now);
    return found;
  }

  private async look(id: string): Promise<CredentialRecord | null> {
    const key = parseId(id);
    return key === null ? null : this.store.byId(key);
  }

  private noteUse(record: CredentialRecord, now: Date): void {
    if (record.last_used !== null && now.getTime() - record.last_used.getTime() < USED_EVERY_MS) return;
    record.last_used = now;
    // Only a note for people; losing it harms nothing.
    this.store.used(record._id, now).catch(() => undefined);
  }
}

function invalid(kind: CredentialKind): Error {
  return kind === 'api'
    ? fault('api_key.invalid', 'X-Service-Api-Key does not hold a valid API key')
    : fault('credentials.invalid', 'Authorization does not hold valid credentials');
}
