import { Injectable } from '@nestjs/common';
import { fieldFault } from '@commerce/kernel';
import { UserStore, type UserRecord } from '@commerce/identity';
import { sameId, type Caller, type Id } from '@commerce/platform';

import type { PaymentMethodRecord } from './payment-method.record.js';
import { PaymentMethodUsages } from './payment-method-usages.js';

/** Who pays, and what goes on being paid by one of their payment methods. */
@Injectable()
export class PayingUsers {
  constructor(
    private readonly users: UserStore,
    private readonly methodUsers: PaymentMethodUsages,
  ) {}

  /** The user that a request is for: a user itself, while an admin must name one. */
  async of(caller: Caller, given: Id | null): Promise<UserRecord> {
    if (caller.role === 'admin') {
      if (given === null) throw fieldFault('user', 'user is required of an admin');
      return this.users.in(caller.company).referred(given, 'user');
    }
    if (given !== null && !sameId(given, caller.user))
      throw fieldFault('user', 'user must be absent or yourself');
    if (caller.user === null) throw fieldFault('user', 'user is required');
    return this.users.in(caller.company).referred(caller.user, 'user');
  }

  async use({ company, _id }: PaymentMethodRecord): Promise<boolean> {
    return this.methodUsers.uses(company, _id);
  }

  async replace({ company, _id }: PaymentMethodRecord, by: Id): Promise<void> {
    await this.methodUsers.replace(company, _id, by);
  }
}
