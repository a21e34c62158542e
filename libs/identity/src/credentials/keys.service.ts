import { Injectable } from '@nestjs/common';
import { fault, fieldFault } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type Page, type UnitOfWork } from '@commerce/data';
import { LookupCache, SystemClock } from '@commerce/platform';
import { copyWith, makeRecord, newId, pageOf, parseId, type Id } from '@commerce/records';

import { Companies } from '../companies/companies.service.js';
import type { Mode } from '../companies/company.record.js';
import { CredentialRecord, type CredentialKind } from './credential.record.js';
import { CredentialStore } from './credential.store.js';
import {
  expiryWithin,
  hashOf,
  isLive,
  matches,
  newSecret,
  overlapEnd,
  readKey,
  requireAhead,
  requireRollable,
  writeKey,
} from './key.rules.js';
import type { CreateKeyBody, ListKeysQuery, RollKeyBody } from './keys.dto.js';

/** `last_used` is written at most this often for one key. */
const USED_EVERY_MS = 60_000;

/** API keys and service keys. A key that another one made ends with it. */
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
   * Creates a key for the operator, who is exempt from the limit of keys. Its text is returned only once and cannot be
   * read again.
   * @throws Fault `value.invalid` unless it has the mode of its company, and where it would have expired already
   */
  async create(
    company: Id,
    kind: CredentialKind,
    mode: Mode,
    expires: Date | null = null,
  ): Promise<{ key: string; record: CredentialRecord }> {
    const own = (await this.companies.get(company)).mode;
    if (mode !== own) throw fieldFault('mode', `mode must be ${own}, which is the mode of the company`);
    requireAhead(expires, this.clock.now());
    const { key, secret_hash, _id } = issued(kind, mode);
    const record = await this.units.create(this.store, { _id, company, kind, mode, expires, secret_hash });
    return { key, record };
  }

  /** Creates a key that ends with the caller's. Only the reply shows it. */
  async make({ company, mode, credential }: Caller, body: CreateKeyBody): Promise<CredentialRecord> {
    const { kind } = body;
    const { key, ...own } = issued(kind, mode);
    const record = await this.units.write(company, async (work) => {
      const maker = await this.callersKey(work, credential);
      const expires = expiryWithin(maker, body.expires, work.now);
      await this.store.requireRoom(work);
      const made_by = maker._id;
      return this.insert(work, { ...own, company, kind, mode, expires, made_by });
    });
    return copyWith(record, { key });
  }

  /**
   * Replaces a key with a new one of the same kind, maker and expiry; the keys that it made end with the new one from
   * now on. The rolled key stops working immediately, unless `expires` lets both work for a while.
   */
  async roll(
    { company, credential }: Caller,
    id: string,
    { expires }: RollKeyBody,
  ): Promise<CredentialRecord> {
    const successor = await this.units.write(company, async (work) => {
      const caller = await this.callersKey(work, credential);
      const rolled = await this.store.in(company).get(id);
      const below = await this.store.endingWith(company, caller._id, work.now);
      requireRollable(rolled, caller, below, work.now);
      const end = overlapEnd(rolled, expires, work.now);
      if (end !== null) await this.store.requireRoom(work);
      const { kind, mode, made_by } = rolled;
      const { key, ...own } = issued(kind, mode);
      const made = this.insert(work, { ...own, company, kind, mode, made_by, expires: rolled.expires });
      const ended = end === null ? { revoked: work.now } : { expires: end };
      work.update(this.store, rolled, { successor: made._id, ...ended });
      for (const one of await this.store.madeBy(company, [rolled._id], work.now))
        work.update(this.store, one, { made_by: made._id });
      return copyWith(made, { key });
    });
    this.recent.forget(id);
    return successor;
  }

  /** Revokes a key and the keys that end with it; within five seconds no process accepts them any more. */
  async revoke(company: Id, id: string): Promise<CredentialRecord> {
    const { revoked, ended } = await this.units.write(company, async (work) => {
      await this.store.takeTurn(work);
      const key = await this.store.in(company).get(id);
      const others = await this.store.endingWith(company, key._id, work.now);
      for (const one of others) work.update(this.store, one, { revoked: work.now });
      return {
        revoked: work.update(this.store, key, { revoked: key.revoked ?? work.now }),
        ended: [key, ...others],
      };
    });
    for (const { _id } of ended) this.recent.forget(_id.toHexString());
    return revoked;
  }

  /**
   * Gives a key a new secret, for a request whose process died before it replied, so that the first secret was never
   * seen. Returns the key in the form of that reply.
   */
  async reissue({ company }: Caller, id: string): Promise<CredentialRecord> {
    const { kind, mode } = await this.store.in(company).get(id);
    const secret = newSecret();
    const changes = { secret_hash: hashOf(secret) };
    const record = await this.units.change(this.store.in(company), id, () => ({ changes }));
    this.recent.forget(id);
    return copyWith(record, { key: writeKey({ kind, mode, id: record._id.toHexString(), secret }) });
  }

  /** As `reissue`, for the successor of a rolled key. */
  async reissueSuccessor(caller: Caller, id: string): Promise<CredentialRecord> {
    const { successor } = await this.get(caller, id);
    return this.reissue(caller, successor?.toHexString() ?? id);
  }

  async get(caller: Caller, id: string): Promise<CredentialRecord> {
    return this.store.for(caller).get(id);
  }

  async list(caller: Caller, query: ListKeysQuery): Promise<Page<CredentialRecord>> {
    const { kind, made_by } = query;
    const asked = Object.entries({ made_by, kind }).filter(([, value]) => value !== null);
    return this.store.for(caller).page(pageOf(query, Object.fromEntries(asked)));
  }

  /** All keys of a company, the oldest first. */
  async all(company: Id): Promise<CredentialRecord[]> {
    return this.store.in(company).many({}, { sort: { created: 1 } });
  }

  /** The live keys that end with a key. */
  async endingWith(company: Id, id: string): Promise<CredentialRecord[]> {
    const { _id } = await this.store.in(company).get(id);
    return this.store.endingWith(company, _id, this.clock.now());
  }

  /**
   * Finds the API key with this text.
   * @throws Fault `key.invalid`, the same for every error
   */
  async verify(text: string, kind: CredentialKind): Promise<CredentialRecord> {
    const key = readKey(text);
    if (key?.kind !== kind) throw invalid(kind);
    const found = await this.recent.get(key.id);
    // Compared even when there is no key, so that timing does not reveal which ids exist.
    const right = matches(key.secret, found?.secret_hash ?? hashOf(''));
    const now = this.clock.now();
    if (found === null || !right || found.kind !== kind || found.mode !== key.mode) throw invalid(kind);
    if (!isLive(found, now)) throw invalid(kind);
    if (found.mode !== (await this.companies.modeOf(found.company))) throw invalid(kind);
    this.noteUse(found, now);
    return found;
  }

  /**
   * The caller's key in its current state: it may have been revoked while its cached look-up was still valid, and a key
   * that it made then would outlive it.
   */
  private async callersKey(work: UnitOfWork, credential: string): Promise<CredentialRecord> {
    await this.store.takeTurn(work);
    const key = await this.store.in(work.company).find(credential);
    if (key === null || !isLive(key, work.now)) throw invalid('service');
    return key;
  }

  private insert(
    work: UnitOfWork,
    values: Parameters<typeof makeRecord<CredentialRecord>>[1],
  ): CredentialRecord {
    return work.insert(this.store, makeRecord(CredentialRecord, values, work.now));
  }

  private async look(id: string): Promise<CredentialRecord | null> {
    const key = parseId(id);
    return key === null ? null : this.store.byId(key);
  }

  private noteUse(record: CredentialRecord, now: Date): void {
    if (record.last_used !== null && now.getTime() - record.last_used.getTime() < USED_EVERY_MS) return;
    record.last_used = now;
    // For information only: losing it does no harm.
    this.store.used(record._id, now).catch(() => undefined);
  }
}

/** A new key: its id, its text, and the hash of its secret. */
function issued(kind: CredentialKind, mode: Mode): { _id: Id; key: string; secret_hash: string } {
  const _id = newId();
  const secret = newSecret();
  return {
    _id,
    key: writeKey({ kind, mode, id: _id.toHexString(), secret }),
    secret_hash: hashOf(secret),
  };
}

function invalid(kind: CredentialKind): Error {
  return kind === 'api'
    ? fault('api_key.invalid', 'X-Service-Api-Key does not hold a valid API key')
    : fault('credentials.invalid', 'Authorization does not hold valid credentials');
}
