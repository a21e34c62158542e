import { Injectable } from '@nestjs/common';
import { toMajor } from '@commerce/kernel';
import { UnitsOfWork, makeRecord, parseId, type Id, type NewValues } from '@commerce/platform';

import { PaymentMethodStore } from '../methods/payment-method.store.js';
import { PAYMENT_KINDS, PaymentRecord, type PaymentAttempt } from '../payments/payment.record.js';
import { applyOutcome, eventOf } from '../payments/payment.rules.js';
import { PaymentStore } from '../payments/payment.store.js';
import type { BookedIntent, OwedTag, PaymentTag } from '../provider/card-provider.js';
import { ProviderCustomerStore } from '../provider/provider-customer.store.js';
import { Settlement } from './settlement.js';

/** An intent that says which payment it was made for. */
export interface TaggedIntent extends BookedIntent {
  readonly tag: PaymentTag;
  readonly owed: OwedTag;
}

/** Writes payments back that the provider knows and the database has lost, as after a restore. */
@Injectable()
export class PaymentRestorer {
  constructor(
    private readonly store: PaymentStore,
    private readonly methods: PaymentMethodStore,
    private readonly customers: ProviderCustomerStore,
    private readonly units: UnitsOfWork,
    private readonly settlement: Settlement,
  ) {}

  /** The user whose money it was; null where the database has lost them, too. */
  async payer(company: Id, { customer_id }: BookedIntent): Promise<Id | null> {
    const customer = customer_id === null ? null : await this.customers.in(company).one({ customer_id });
    return customer?.user ?? null;
  }

  /**
   * Writes a payment back under its own id, settled as the provider says. An order follows it at once. A subscription
   * is not told: the next time it would charge this slice it finds the payment, and follows that.
   * @param breakdown how the amount comes about, where that is known already
   * @throws Fault `payment.exists` where there is another payment for the same slice
   */
  async restore(intent: TaggedIntent, user: Id, breakdown: object | null): Promise<PaymentRecord> {
    const { tag, outcome } = intent;
    const values = { ...(await this.valuesOf(intent, user)), ...madeOf(intent, breakdown) };
    const isSubscriptions = values.subscription != null;
    const payment = await this.units.write(values.company, (work) => {
      const made = work.insert(this.store, makeRecord(PaymentRecord, values, work.now), 'payment.created');
      const changes = isSubscriptions ? applyOutcome(made, tag.attempt, outcome, work.now) : null;
      return changes === null ? made : work.update(this.store, made, changes, eventOf(made, changes));
    });
    return isSubscriptions ? payment : this.settlement.settle(payment, tag.attempt, outcome);
  }

  private async valuesOf(intent: TaggedIntent, user: Id): Promise<NewValues<PaymentRecord>> {
    const { tag, owed, intent_id, method_id, customer_id, created, currency } = intent;
    const company = idIn(tag.company);
    const kind = PAYMENT_KINDS.find((one) => one === owed.kind);
    if (kind === undefined) throw new Error(`the intent ${intent_id} is for ${owed.kind}, which is unknown`);
    const method = method_id && (await this.methods.in(company).one({ payment_method_id: method_id }));
    const payment_method = method === null || method === '' ? null : method._id;
    const attempt: PaymentAttempt = {
      number: tag.attempt,
      at: created,
      payment_method,
      status: 'PROCESSING',
      code: null,
      message: null,
      decline: null,
    };
    return {
      _id: idIn(tag.payment),
      company,
      user,
      subscription: owed.subscription === null ? null : idIn(owed.subscription),
      order: owed.order === null ? null : idIn(owed.order),
      kind,
      slice: owed.slice,
      status: 'PROCESSING',
      amount: toMajor(intent.amount_minor, currency),
      currency,
      payment_method,
      attempts: [attempt],
      metadata: { payment_intent_id: intent_id, payment_method_id: method_id },
      provider: { name: 'stripe', intent_id, charge_id: null },
      request: {
        number: tag.attempt,
        answered: true,
        opened_at: created,
        intent_id: null,
        replaces: null,
        customer_id: customer_id ?? '',
        method_id: method_id ?? '',
        off_session: true,
      },
      // Should the process die before an order has followed it, the reconciler goes on.
      check_at: created,
    };
  }
}

/** Where nobody knows any more what the amount was made of, a subscription may yet work it out again. */
function madeOf({ intent_id }: TaggedIntent, breakdown: object | null): Pick<PaymentRecord, 'breakdown'> {
  return { breakdown: { ...breakdown, restored_from: intent_id } };
}

function idIn(text: string): Id {
  const id = parseId(text);
  if (id === null) throw new Error(`${text} in the metadata of an intent is not an id`);
  return id;
}
