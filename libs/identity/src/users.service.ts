import { Injectable } from '@nestjs/common';
import { fault, fieldFault, isTimezone } from '@commerce/kernel';
import {
  TakenNames,
  UnitsOfWork,
  retryOnConflict,
  parseId,
  makeRecord,
  ownerOnly,
  readPage,
  sameId,
  type Caller,
  type Id,
  type Page,
  type RawQuery,
  type UnitOfWork,
} from '@commerce/platform';

import { BusinessClock } from './business-clock.js';
import { Recent } from './recent.js';
import { TestClockStore } from './test-clock.store.js';
import { Tokens, type AccessToken } from './tokens.service.js';
import { UserRecord } from './user.record.js';
import { UserStore } from './user.store.js';
import type { CreateUserBody, UpdateUserBody } from './users.bodies.js';

/** End customers. */
@Injectable()
export class Users {
  private readonly recent = new Recent((key: string) => this.exists(key));

  constructor(
    private readonly store: UserStore,
    private readonly clocks: TestClockStore,
    private readonly units: UnitsOfWork,
    private readonly time: BusinessClock,
    private readonly tokens: Tokens,
    private readonly names: TakenNames,
  ) {}

  async create(caller: Pick<Caller, 'company' | 'mode'>, body: CreateUserBody): Promise<UserRecord> {
    check(body);
    if (body.test_clock !== null) {
      if (caller.mode !== 'test')
        throw fieldFault('test_clock', 'test_clock is for keys of test mode', 'test_clock.test_mode_only');
      await this.clocks.in(caller.company).referred(body.test_clock, 'test_clock');
    }
    const now = await this.time.now(caller.company, body.test_clock);
    const work = this.units.begin(caller.company, now);
    this.changeEmail(work, null, body.email);
    const values = { ...body, company: caller.company };
    const user = work.insert(this.store, makeRecord(UserRecord, values, now), 'user.created');
    await work.commit();
    return user;
  }

  async get(caller: Caller, id: string): Promise<UserRecord> {
    return this.store.for(caller).show(id);
  }

  /**
   * The user that a request is for: an admin must name one, a user must leave it out or name itself.
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

  async list(caller: Caller, raw: RawQuery): Promise<Page<UserRecord>> {
    const query = readPage(raw, {
      sortable: ['created', 'updated', 'name', 'email'],
      sort: '-created',
      dates: { created: 'created', updated: 'updated' },
    });
    return this.store.in(caller.company).page({ ...query, filter: { ...query.filter, deleted: false } });
  }

  async update(caller: Caller, id: string, body: UpdateUserBody): Promise<UserRecord> {
    check(body);
    this.requireSelf(caller, id);
    return retryOnConflict(async () => {
      const before = await this.store.in(caller.company).get(id);
      const work = this.units.begin(caller.company, await this.time.now(caller.company, before.test_clock));
      if (body.email !== undefined) this.changeEmail(work, before.email, body.email);
      const after = work.update(this.store, before, { ...body }, 'user.updated');
      await work.commit();
      return after;
    });
  }

  async delete(caller: Caller, id: string): Promise<UserRecord> {
    return retryOnConflict(async () => {
      const before = await this.store.in(caller.company).get(id);
      const work = this.units.begin(caller.company, await this.time.now(caller.company, before.test_clock));
      this.changeEmail(work, before.email, null);
      const after = work.update(this.store, before, { deleted: true }, 'user.deleted');
      await work.commit();
      this.recent.forget(recentKey(caller.company, before._id));
      return after;
    });
  }

  async token(company: Id, id: string): Promise<AccessToken> {
    return this.tokens.issue(await this.store.in(company).get(id));
  }

  /** Whether the user is there and not deleted, as it was at most five seconds ago. */
  async isKnown(company: Id, user: Id): Promise<boolean> {
    return this.recent.get(recentKey(company, user));
  }

  private async exists(key: string): Promise<boolean> {
    const [company, user] = key.split('/').map(parseId) as [Id, Id];
    return (await this.store.in(company).find(user)) !== null;
  }

  /** An email belongs to one user of the company, whatever its case, until that user gives it up or is deleted. */
  private changeEmail(work: UnitOfWork, before: string | null, after: string | null): void {
    const [old, next] = [before?.toLowerCase(), after?.toLowerCase()];
    if (old === next) return;
    if (old !== undefined) this.names.release(work, 'user.email', old);
    if (next === undefined) return;
    const message = 'Another user has this email';
    const errors = [{ path: 'email', code: 'user.email_taken', message }];
    this.names.take(work, 'user.email', next, fault('user.email_taken', message, { errors }));
  }

  private requireSelf(caller: Caller, id: string): void {
    const only = ownerOnly(caller);
    if (only !== null && only.toHexString() !== id.toLowerCase()) {
      throw fault('user.not_found', 'There is no user with this id');
    }
  }
}

function recentKey(company: Id, user: Id): string {
  return `${company.toHexString()}/${user.toHexString()}`;
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
