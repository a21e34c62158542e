import { Injectable } from '@nestjs/common';
import { fault, fieldFault, toMinor } from '@commerce/kernel';
import type { Caller } from '@commerce/data';
import { newId } from '@commerce/records';

import { withoutDeclineReasons } from '../showing/decline-reason.js';
import { sameSecret } from '../showing/client-secret.js';
import { refundChanges } from '../payments/payment-refund.rules.js';
import { owedMinor, refundableMinor } from '../payments/refund-amounts.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import { isCollected } from '../payments/payment.rules.js';
import { PaymentStore } from '../payments/payment.store.js';
import { PaymentClock } from '../settling/payment-clock.js';
import { PaymentInquirer } from '../charging/payment-inquirer.js';
import type { ConfirmPaymentBody, RefundPaymentBody } from './payments.dto.js';
import { PaymentWriter } from '../charging/payment-writer.js';
import { Settlement } from '../settling/settlement.js';

/** The actions of callers on payments. */
@Injectable()
export class Payments {
  constructor(
    private readonly store: PaymentStore,
    private readonly writer: PaymentWriter,
    private readonly inquiries: PaymentInquirer,
    private readonly settlement: Settlement,
    private readonly clocks: PaymentClock,
  ) {}

  /**
   * Looks the intent up at the provider after the customer has authenticated. The same confirmation again returns the
   * same answer.
   * @throws Fault `payment.confirmation_invalid` unless intent and secret are this payment's; `provider.unavailable`;
   * `rate.limited` for a user who asks too often
   */
  async confirm(caller: Caller, id: string, body: ConfirmPaymentBody): Promise<PaymentRecord> {
    const payment = await this.store.for(caller).get(id);
    requireOwnIntent(payment, body);
    if (caller.role !== 'user') return isCollected(payment.status) ? payment : this.inquiries.ask(payment);
    const now = isCollected(payment.status) ? payment : await this.inquiries.askForCustomer(payment);
    return withoutDeclineReasons(now);
  }

  /**
   * Refunds an amount, or the whole rest. The version of the payment ensures that refunds never exceed the captured
   * amount.
   */
  async refund(caller: Caller, id: string, body: RefundPaymentBody): Promise<PaymentRecord> {
    const key = newId().toHexString();
    const { reason = null, to = 'card' } = body;
    const payment = await this.store.for(caller).get(id);
    const reserved = await this.settlement.reserveRefund(payment, (current, { business }) => {
      const amount_minor = amountMinor(current, body);
      const instead = body.instead_of == null ? {} : { instead_of: body.instead_of };
      const refund = { key, amount_minor, reason, to, requested_by: caller.credential, ...instead };
      return refundChanges(current, refund, business, this.clocks.leaseEnd());
    });
    return this.writer.afterCommit(reserved);
  }
}

/** Compares both halves in any case, so that neither the answer nor timing reveals which one was wrong. */
function requireOwnIntent(payment: PaymentRecord, body: ConfirmPaymentBody): void {
  const intent = sameSecret(body.payment_intent_id, payment.metadata.payment_intent_id);
  const secret = sameSecret(body.payment_client_secret, payment.client_secret);
  if (intent && secret) return;
  throw fault('payment.confirmation_invalid', 'The intent or its secret is not the one of this payment');
}

function amountMinor(payment: PaymentRecord, { amount, instead_of = null }: RefundPaymentBody): number {
  const owed = instead_of === null ? null : owedMinor(payment, instead_of);
  if (owed === 0) throw fieldFault('instead_of', 'instead_of names no refund of this payment that is owed');
  if (amount === null || amount === undefined) return owed ?? refundableMinor(payment);
  try {
    return toMinor(amount, payment.currency);
  } catch {
    throw fieldFault('amount', `amount must be an amount of ${payment.currency}`);
  }
}
