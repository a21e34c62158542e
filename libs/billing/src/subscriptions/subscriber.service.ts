import { Injectable } from '@nestjs/common';
import { UserStore, type UserRecord } from '@commerce/identity';
import { fieldFault } from '@commerce/kernel';
import { PaymentMethodStore } from '@commerce/payments';
import { sameId, type Caller, type Id } from '@commerce/platform';

/** Who subscribes, and what they pay with, as a request names them. */
@Injectable()
export class Subscribers {
  constructor(
    private readonly users: UserStore,
    private readonly methods: PaymentMethodStore,
  ) {}

  /**
   * The user that a request is for: a user itself, while an admin must name one.
   * @throws Fault `value.invalid` or `user.unknown` naming the field
   */
  async of(caller: Caller, given: Id | null): Promise<UserRecord> {
    if (caller.role !== 'admin' && given !== null && !sameId(given, caller.user)) {
      throw fieldFault('user', 'user must be left out, or be yourself');
    }
    const user = caller.role === 'admin' ? given : caller.user;
    if (user === null) throw fieldFault('user', 'user is required of an admin');
    return this.users.in(caller.company).referred(user, 'user');
  }

  /**
   * Checks that a payment method is the subscriber's own.
   * @throws Fault `payment_method.unknown` naming the field, also for a method of another user
   */
  async requireOwn(company: Id, user: Id, method: Id): Promise<void> {
    const found = await this.methods.in(company).referred(method, 'payment_method');
    if (found.user.equals(user)) return;
    const message = 'payment_method is not the id of a payment method';
    throw fieldFault('payment_method', message, 'payment_method.unknown');
  }
}
