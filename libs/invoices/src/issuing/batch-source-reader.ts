import { Injectable } from '@nestjs/common';
import { UserStore } from '@commerce/identity';
import { PaymentOwners, PaymentStore, SUPPLIED_FIELDS, type InvoiceDue } from '@commerce/payments';
import { distinctIds, type Id } from '@commerce/records';

import { ExchangeRateReader, datedOf } from './exchange-rate-reader.js';
import { InvoiceStore } from '../invoices/invoice.store.js';
import { yearOf, type Sequence } from '../invoices/invoice-numbers.js';
import { INVOICE_KINDS } from '../content/invoice-content.js';
import type { BatchSources, DocumentedPayment } from './document-batch.js';
import type { BuyingUser, SellingCompany } from './parties.js';

const PAYMENT_FIELDS = [
  ...SUPPLIED_FIELDS,
  'company',
  'user',
  'provider',
  'refunds',
  'refunded_amount',
  'owed_amount',
  'dispute_lost',
] as const satisfies readonly (keyof DocumentedPayment)[];

const BUYER_FIELDS = [
  'human_id',
  'name',
  'email',
  'billing',
] as const satisfies readonly (keyof BuyingUser)[];

/** Reads the records that the documents of many due rows are made of, each kind in one query that reads the fields needed. */
@Injectable()
export class BatchSourceReader {
  constructor(
    private readonly rates: ExchangeRateReader,
    private readonly users: UserStore,
    private readonly payments: PaymentStore,
    private readonly owners: PaymentOwners,
    private readonly invoices: InvoiceStore,
  ) {}

  /** Null where the company has no seller any more: nothing is numbered until it has one. */
  async read(id: Id, rows: readonly InvoiceDue[]): Promise<Omit<BatchSources, 'waiting'> | null> {
    const company = await this.rates.seller(id);
    if (company === null) return null;
    const ids = distinctIds(rows.map(({ payment }) => payment));
    const [payments, existing, nextOf] = await Promise.all([
      this.payments.in(id).partsByIds(ids, PAYMENT_FIELDS),
      this.invoices.ofPayments(id, ids),
      this.numbersFor(company, rows),
    ]);
    const found = [...payments.values()];
    const currencyOf = (payment: Id): string | undefined => payments.get(payment.toHexString())?.currency;
    const [users, supplied, conversionOf] = await Promise.all([
      this.users.in(id).partsByIds(distinctIds(found.map(({ user }) => user)), BUYER_FIELDS),
      this.owners.supplied(id, found),
      this.rates.conversions(company, datedOf(rows, currencyOf)),
    ]);
    return { company, payments, users, supplied, conversionOf, existing, nextOf };
  }

  private async numbersFor(
    { _id, timezone }: SellingCompany,
    rows: readonly InvoiceDue[],
  ): Promise<(sequence: Sequence) => number> {
    const years = rows.map(({ date }) => yearOf(date, timezone));
    const of = (year: number): Sequence[] => INVOICE_KINDS.map((kind) => ({ kind, year }));
    return this.invoices.nextIn(_id, [...new Set(years)].flatMap(of));
  }
}
