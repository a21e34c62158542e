import { Injectable } from '@nestjs/common';
import type { Id } from '@commerce/platform';

/** Something that goes on charging a payment method, such as live subscriptions. */
export interface PaymentMethodUsage {
  /** True while anything of it would be charged by this payment method. */
  uses(company: Id, paymentMethod: Id): Promise<boolean>;
  /** Makes all of it use another one instead. */
  replace(company: Id, paymentMethod: Id, by: Id): Promise<void>;
}

/** Who uses payment methods; they register themselves when their modules start. */
@Injectable()
export class PaymentMethodUsages {
  private readonly users: PaymentMethodUsage[] = [];

  register(user: PaymentMethodUsage): void {
    this.users.push(user);
  }

  async uses(company: Id, paymentMethod: Id): Promise<boolean> {
    const answers = await Promise.all(this.users.map((user) => user.uses(company, paymentMethod)));
    return answers.includes(true);
  }

  async replace(company: Id, paymentMethod: Id, by: Id): Promise<void> {
    for (const user of this.users) await user.replace(company, paymentMethod, by);
  }
}
