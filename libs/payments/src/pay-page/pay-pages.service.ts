import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { sameId } from '@commerce/records';

import { PaymentMethods } from '../methods/payment-methods.service.js';
import { PayLinks } from '../showing/pay-links.js';
import { GENERIC_DECLINE, isDeclined } from '../showing/decline-reason.js';
import type { PaymentAttempt, PaymentRecord } from '../payments/payment.record.js';
import { isCollected, isInFlight, isWaiting, requireAttemptLeft } from '../payments/payment.rules.js';
import type { PaymentSubject } from '../settling/payment-owner.js';
import { PaymentOwners } from '../settling/payment-owners.js';
import { PaymentInquirer } from '../charging/payment-inquirer.js';
import type { ClientLibrary } from '../provider/card-provider.js';
import { PayCustomers } from './pay-customers.js';
import type { PayByCardBody } from '../methods/saved-card.dto.js';

/** The state of a payment for the customer who opened the page: the next action, or the reason why there is none. */
export type PayState = 'authenticate' | 'new_card' | 'under_way' | 'paid' | 'closed';

/** The fields of a payment that the page shows. */
export interface PayView {
  readonly state: PayState;
  readonly merchant: string;
  readonly amount: number;
  readonly currency: string;
  readonly subject: PaymentSubject | null;
  /** Reports that the last attempt failed; omits the reason where the bank declined the card. */
  readonly problem: string | null;
  /** The settings of the provider's library; null where customers cannot pay on the page. */
  readonly library: ClientLibrary | null;
}

/** Secrets for the provider's library in the customer's browser. */
export interface AuthenticationSecret {
  readonly client_secret: string;
  readonly payment_method: string | null;
}

export interface CardSetupSecret {
  readonly client_secret: string;
  /** The payment method in which the card will be saved. */
  readonly payment_method: string;
}

/**
 * The page on which a customer pays one payment: the holder of the link acts as the customer, for this payment alone.
 * Every method throws Fault `pay_link.invalid` or `pay_link.expired` for a bad link; those that call the provider or
 * try a card throw `rate.limited` after too many calls by one customer.
 */
@Injectable()
export class PayPages {
  constructor(
    private readonly links: PayLinks,
    private readonly owners: PaymentOwners,
    private readonly methods: PaymentMethods,
    private readonly inquiries: PaymentInquirer,
    private readonly customers: PayCustomers,
  ) {}

  async view(token: string): Promise<PayView> {
    const payment = await this.paymentOf(token);
    const merchant = await this.customers.merchantOf(payment);
    const subject = await this.subjectOf(payment);
    const { amount, currency, attempts } = payment;
    const state = stateOf(payment, subject);
    const problem = state === 'new_card' ? problemOf(attempts.at(-1)) : null;
    const library = await this.methods.library(payment.company, payment.test_clock);
    return { state, merchant, amount, currency, subject, problem, library };
  }

  /** The payment, where it is collected; null where it is not. */
  async collected(token: string): Promise<PaymentRecord | null> {
    const payment = await this.paymentOf(token);
    return isCollected(payment.status) ? payment : null;
  }

  /** @throws Fault `payment.state_conflict` where the payment needs no authentication */
  async authentication(token: string): Promise<AuthenticationSecret> {
    const payment = await this.paymentOf(token);
    const { status, client_secret, metadata } = payment;
    if (status !== 'REQUIRES_AUTH' || client_secret === null) throw notNow(payment);
    return { client_secret, payment_method: metadata.payment_method_id };
  }

  /** Looks the payment up at the provider, after the customer has authenticated it. */
  async refresh(token: string): Promise<{ state: PayState }> {
    const payment = await this.paymentOf(token);
    const now =
      isInFlight(payment.status) || payment.status === 'REQUIRES_AUTH'
        ? await this.inquiries.askForCustomer(payment)
        : payment;
    return { state: stateOf(now, await this.subjectOf(now)) };
  }

  /** Starts the setup of another card. */
  async openCard(token: string): Promise<CardSetupSecret> {
    const payment = await this.waiting(token);
    const body = { payment_method: this.methods.provider, user: null };
    const customer = await this.customers.tryingCard(payment);
    const method = await this.methods.create(customer, body, payment._id);
    if (method.setup_intent === null) throw new Error('a payment method came without its setup secret');
    return {
      client_secret: method.setup_intent.client_secret,
      payment_method: method._id.toHexString(),
    };
  }

  /** Pays with the card that was saved. */
  async payByCard(token: string, body: PayByCardBody): Promise<{ state: PayState }> {
    const payment = await this.waiting(token);
    const customer = await this.customers.tryingCard(payment);
    const { _id } = await this.methods.fillByLink(customer, body, ({ opened_for }) =>
      sameId(opened_for, payment._id),
    );
    const owner = this.owners.ownerOf(payment);
    if (owner?.payBy === undefined) throw notNow(payment);
    await owner.payBy(payment, _id);
    const now = await this.paymentOf(token);
    return { state: stateOf(now, await this.subjectOf(now)) };
  }

  private async subjectOf(payment: PaymentRecord): Promise<PaymentSubject | null> {
    return (await this.owners.ownerOf(payment)?.describe?.(payment)) ?? null;
  }

  private async waiting(token: string): Promise<PaymentRecord> {
    const payment = await this.paymentOf(token);
    if (!isWaiting(payment)) throw notNow(payment);
    requireAttemptLeft(payment);
    return payment;
  }

  private async paymentOf(token: string): Promise<PaymentRecord> {
    const payment = await this.links.paymentOf(token);
    if (payment === 'expired') throw fault('pay_link.expired', 'This link has expired');
    if (payment === 'invalid') throw fault('pay_link.invalid', 'This link leads to no payment');
    return payment;
  }
}

function problemOf(attempt: PaymentAttempt | undefined): string | null {
  if (attempt === undefined) return null;
  return isDeclined(attempt) ? GENERIC_DECLINE.message : attempt.message;
}

function stateOf(payment: PaymentRecord, subject: PaymentSubject | null): PayState {
  if (isCollected(payment.status)) return 'paid';
  if (isInFlight(payment.status)) return 'under_way';
  if (!isWaiting(payment) || subject === null) return 'closed';
  return payment.status === 'REQUIRES_AUTH' ? 'authenticate' : 'new_card';
}

function notNow({ status }: PaymentRecord): Error {
  return fault('payment.state_conflict', `The payment is ${status} and waits for nobody`, { status });
}
