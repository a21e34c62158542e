import { Injectable } from '@nestjs/common';
import { Companies, CustomerLimiter } from '@commerce/identity';
import { nameActor, type Caller } from '@commerce/data';
import type { Id } from '@commerce/records';

/** A record of a customer that a page concerns: a payment, or a payment method. */
interface OfCustomer {
  readonly _id: Id;
  readonly company: Id;
  readonly user: Id;
}

/** The customers who act on the page for a payment or a card, and their merchants. */
@Injectable()
export class PayCustomers {
  constructor(
    private readonly companies: Companies,
    private readonly limits: CustomerLimiter,
  ) {}

  async merchantOf({ company }: OfCustomer): Promise<string> {
    return (await this.companies.get(company)).name;
  }

  /**
   * The customer of the record, as the caller that saves or charges a card and the author of its changes; counts as one
   * attempt.
   * @throws Fault `rate.limited` after too many attempts, through the API or on a page
   */
  async tryingCard({ company, user, _id }: OfCustomer): Promise<Caller> {
    await this.limits.requireCardAttempt(user);
    const { mode } = await this.companies.get(company);
    nameActor({ kind: 'user', credential: user.toHexString(), company });
    return { company, mode, role: 'user', user, credential: `pay-${_id.toHexString()}` };
  }
}
