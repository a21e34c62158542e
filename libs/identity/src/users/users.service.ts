import { Injectable } from '@nestjs/common';
import { fault, fieldFault, isTimezone, type Fault } from '@commerce/kernel';
import { UniqueNames, UnitsOfWork, ownerOnly, type Caller, type Page, type UnitOfWork } from '@commerce/data';
import { LookupCache } from '@commerce/platform';
import { newId, pageOf, parseId, sameId, type Id } from '@commerce/records';

import { Companies } from '../companies/companies.service.js';
import { requireBuyerVatId } from '../parties/tax-rules.js';
import { BusinessClock } from '../test-clocks/business-clock.js';
import { clockFilter } from '../test-clocks/clock-filter.js';
import { billingBy } from './billing-rules.js';
import { userWords, type UserRecord } from './user.record.js';
import { UserStore } from './user.store.js';
import type { CreateUserBody, ListUsersQuery, UpdateUserBody } from './users.dto.js';

/** End customers. */
@Injectable()
export class Users {
  private readonly recent = new LookupCache((key) => this.exists(key));

  constructor(
    private readonly store: UserStore,
    private readonly companies: Companies,
    private readonly units: UnitsOfWork,
    private readonly time: BusinessClock,
    private readonly names: UniqueNames,
  ) {}

  /** @param _id of the new user, for idempotent creation */
  async create(
    caller: Pick<Caller, 'company' | 'mode'>,
    body: CreateUserBody,
    _id: Id = newId(),
  ): Promise<UserRecord> {
    check(body);
    const { company } = caller;
    await this.checkVatId(company, body);
    await this.checkClock(caller, body.test_clock);
    return this.units.create(
      this.store,
      { ...body, _id, company },
      {
        event: 'user.created',
        also: (work) => this.changeEmail(work, null, body.email),
        now: await this.time.now(company, body.test_clock),
      },
    );
  }

  async get(caller: Caller, id: string): Promise<UserRecord> {
    return this.store.for(caller).show(id);
  }

  /**
   * The user of a request: an admin must name one, a user must omit it or name itself.
   * @throws Fault `value.invalid` or `user.unknown` naming the field `user`
   */
  async forRequest(caller: Caller, given: Id | null): Promise<UserRecord> {
    const own = ownerOnly(caller);
    if (own !== null && given !== null && !sameId(given, own)) {
      throw fieldFault('user', 'user must be left out or be yourself');
    }
    const user = own ?? given;
    if (user === null) throw fieldFault('user', 'user is required: an admin must name one');
    return this.store.in(caller.company).referred(user, 'user');
  }

  async list(caller: Caller, query: ListUsersQuery): Promise<Page<UserRecord>> {
    const { ids } = query;
    const records = this.store.for(caller);
    if (ids === null) return records.page(pageOf(query, { ...clockFilter(query), deleted: false }));
    const asked = pageOf(query, { ...clockFilter(query), _id: { $in: ids } });
    return records.page({ ...asked, sort: { field: '_id', direction: 1 } });
  }

  async update(caller: Caller, id: string, body: UpdateUserBody): Promise<UserRecord> {
    check(body);
    await this.checkVatId(caller.company, body);
    const mayEdit = caller.role === 'admin' || (await this.companies.get(caller.company)).users_edit_identity;
    return this.units.change(
      this.store.for(caller),
      id,
      async (before, work) => {
        if (caller.role !== 'admin') requireSameMetadata(before, body);
        if (!mayEdit) requireSameIdentity(before, body);
        if (body.email !== undefined) this.changeEmail(work, before.email, body.email);
        const search_words = userWords({ ...before, ...body });
        const { real } = await this.time.instants(caller.company, before.test_clock);
        const changes = { ...body, ...billingBy(caller.role, before, body, real), search_words };
        return { changes, event: 'user.updated' };
      },
      { now: (before) => this.timeOf(before) },
    );
  }

  /** Deletes a user if `mayGo`, which may add to the commit, agrees; otherwise returns it unchanged. */
  async delete(
    caller: Caller,
    id: string,
    mayGo: (before: UserRecord, work: UnitOfWork) => Promise<boolean>,
  ): Promise<UserRecord> {
    const after = await this.units.change(
      this.store.for(caller),
      id,
      async (before, work) => {
        if (!(await mayGo(before, work))) return null;
        this.changeEmail(work, before.email, null);
        return { changes: { deleted: true }, event: 'user.deleted' };
      },
      { now: (before) => this.timeOf(before) },
    );
    if (after.deleted) this.recent.forget(recentKey(caller.company, after._id));
    return after;
  }

  /** Whether the user exists and is not deleted; at most five seconds old. */
  async isKnown(company: Id, user: Id): Promise<boolean> {
    return this.recent.get(recentKey(company, user));
  }

  private async exists(key: string): Promise<boolean> {
    const [company, user] = key.split('/').map(parseId) as [Id, Id];
    return (await this.store.in(company).find(user)) !== null;
  }

  /** Checks a VAT id where tax is decided by it. */
  private async checkVatId(company: Id, { billing }: UpdateUserBody): Promise<void> {
    if (billing?.vat_id == null) return;
    const { tax } = await this.companies.get(company);
    if (tax.mode === 'eu') requireBuyerVatId(billing);
  }

  private async timeOf({ company, test_clock }: UserRecord): Promise<Date> {
    return this.time.now(company, test_clock);
  }

  private async checkClock(caller: Pick<Caller, 'company' | 'mode'>, clock: Id | null): Promise<void> {
    if (clock === null) return;
    if (caller.mode !== 'test') {
      throw fieldFault('test_clock', 'test_clock is for keys of test mode', 'test_clock.test_mode_only');
    }
    await this.time.referred(caller.company, clock, 'test_clock');
  }

  /** Reserves the email, in any case, for one user of the company until that user changes it or is deleted. */
  private changeEmail(work: UnitOfWork, before: string | null, after: string | null): void {
    const [old, next] = [before?.toLowerCase(), after?.toLowerCase()];
    if (old === next) return;
    if (old !== undefined) this.names.release(work, 'user.email', old);
    if (next === undefined) return;
    const message = 'Another user has this email';
    const errors = [{ path: 'email', code: 'user.email_taken', message }];
    this.names.take(work, 'user.email', next, fault('user.email_taken', message, { errors }));
  }
}

function recentKey(company: Id, user: Id): string {
  return `${company.toHexString()}/${user.toHexString()}`;
}

/** Refuses changes by the user of email and reference, by which the merchant identifies users. */
function requireSameIdentity(before: UserRecord, body: UpdateUserBody): void {
  for (const path of ['email', 'external_reference'] as const) {
    if (body[path] === undefined || body[path] === before[path]) continue;
    throw reserved(path);
  }
}

/**
 * Refuses changes by the user of metadata, on which a merchant may rely. A body that repeats the stored value is
 * accepted, as for the fields above.
 */
function requireSameMetadata({ metadata: before }: UserRecord, { metadata }: UpdateUserBody): void {
  if (metadata !== undefined && metadata?.text !== before?.text) throw reserved('metadata');
}

function reserved(path: string): Fault {
  return fieldFault(path, `${path} may be changed by service accounts only`, 'user.field_reserved');
}

function check(body: UpdateUserBody): void {
  if (typeof body.timezone === 'string' && !isTimezone(body.timezone)) {
    throw fieldFault(
      'timezone',
      'timezone must be an IANA time zone, such as Europe/Berlin',
      'timezone.unknown',
    );
  }
}
