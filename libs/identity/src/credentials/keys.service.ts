import { Injectable } from '@nestjs/common';
import { fault, fieldFault } from '@commerce/kernel';
import { LookupCache, SystemClock, UnitsOfWork, newId, parseId, type Id } from '@commerce/platform';

import { Companies } from '../companies/companies.service.js';
import type { Mode } from '../companies/company.record.js';
import type { CredentialKind, CredentialRecord } from './credential.record.js';
import { CredentialStore } from './credential.store.js';
import { hashOf, matches, newSecret, readKey, writeKey } from './key.rules.js';

/** `last_used` is written at most this often for one key. */
const USED_EVERY_MS = 60_000;

/** API keys and service account keys. */
@Injectable()
export class Keys {
  private readonly recent = new LookupCache((id) => this.look(id));

  constructor(
    private readonly store: CredentialStore,
    private readonly companies: Companies,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Makes a key. Its text is returned this once; nobody can read it again.
   * @throws Fault `value.invalid` unless it is of the mode of its company, and where it would have expired already
   */
  async create(
    company: Id,
    kind: CredentialKind,
    mode: Mode,
    expires: Date | null = null,
  ): Promise<{ key: string; record: CredentialRecord }> {
    const own = (await this.companies.get(company)).mode;
    if (mode !== own) throw fieldFault('mode', `mode must be ${own}, which is the mode of the company`);
    if (expires !== null && expires <= this.clock.now())
      throw fieldFault('expires', 'expires must lie in the future');
    const secret = newSecret();
    const _id = newId();
    const values = { _id, company, kind, mode, expires, secret_hash: hashOf(secret) };
    const record = await this.units.create(this.store, values);
    return { key: writeKey({ kind, mode, id: _id.toHexString(), secret }), record };
  }

  async list(company: Id): Promise<CredentialRecord[]> {
    return this.store.in(company).many({}, { sort: { created: 1 } });
  }

  /** Revokes a key; within five seconds no process accepts it any more. */
  async revoke(company: Id, id: string): Promise<CredentialRecord> {
    const after = await this.units.change(this.store.in(company), id, ({ revoked }, { now }) => ({
      changes: { revoked: revoked ?? now },
    }));
    this.recent.forget(id);
    return after;
  }

  /**
   * The credential behind a key's text.
   * @throws Fault `key.invalid` for whatever is wrong with it, always the same
   */
  async verify(text: string, kind: CredentialKind): Promise<CredentialRecord> {
    const key = readKey(text);
    if (key?.kind !== kind) throw invalid(kind);
    const found = await this.recent.get(key.id);
    // Compared even when there is none, so that the time does not tell which ids exist.
    const right = matches(key.secret, found?.secret_hash ?? hashOf(''));
    const now = this.clock.now();
    if (found === null || !right || found.kind !== kind || found.mode !== key.mode) throw invalid(kind);
    if (found.revoked !== null || (found.expires !== null && found.expires <= now)) throw invalid(kind);
    if (found.mode !== (await this.companies.modeOf(found.company))) throw invalid(kind);
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
    // For people's information only: losing it does no harm.
    this.store.used(record._id, now).catch(() => undefined);
  }
}

function invalid(kind: CredentialKind): Error {
  return kind === 'api'
    ? fault('api_key.invalid', 'X-Service-Api-Key does not hold a valid API key')
    : fault('credentials.invalid', 'Authorization does not hold valid credentials');
}
