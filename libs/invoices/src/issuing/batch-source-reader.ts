import { Injectable } from '@nestjs/common';
import { Companies, UserStore } from '@commerce/identity';
import { PaymentOwners, PaymentStore, type InvoiceDue } from '@commerce/payments';
import { distinctIds, type Id } from '@commerce/records';

import { INVOICE_KINDS } from '../content/invoice-content.js';
import { InvoiceStore } from '../invoices/invoice.store.js';
import { yearOf, type Sequence } from '../invoices/invoice-numbers.js';
import type { BatchSources } from './document-batch.js';
import { isSelling, type SellingCompany } from './parties.js';

/** Reads the records that the documents of many due rows are made of, each kind in one query. */
@Injectable()
export class BatchSourceReader {
  constructor(
    private readonly companies: Companies,
    private readonly users: UserStore,
    private readonly payments: PaymentStore,
    private readonly owners: PaymentOwners,
    private readonly invoices: InvoiceStore,
  ) {}

  /** Null where the company has no seller any more: nothing is numbered until it has one. */
  async read(id: Id, rows: readonly InvoiceDue[]): Promise<Omit<BatchSources, 'waiting'> | null> {
    const company = await this.companies.get(id);
    if (!isSelling(company)) return null;
    const ids = distinctIds(rows.map(({ payment }) => payment));
    const [payments, existing] = await Promise.all([
      this.payments.in(id).byIds(ids),
      this.invoices.ofPayments(id, ids),
    ]);
    const found = [...payments.values()];
    const [users, supplied, nextOf] = await Promise.all([
      this.users.in(id).byIds(distinctIds(found.map(({ user }) => user))),
      this.owners.supplied(id, found),
      this.numbersFor(company, rows),
    ]);
    return { company, payments, users, supplied, existing, nextOf };
  }

  private async numbersFor(
    { _id, timezone }: SellingCompany,
    rows: readonly InvoiceDue[],
  ): Promise<(sequence: Sequence) => number> {
    const years = [...new Set(rows.map(({ date }) => yearOf(date, timezone)))];
    const next = new Map<string, number>();
    for (const year of years) {
      for (const kind of INVOICE_KINDS)
        next.set(`${kind}/${String(year)}`, await this.invoices.nextOf(_id, { kind, year }));
    }
    return ({ kind, year }) => next.get(`${kind}/${String(year)}`) ?? 1;
  }
}
