import { Injectable } from '@nestjs/common';
import type { Caller, Page } from '@commerce/data';
import { pageOf } from '@commerce/records';

import type { InvoiceRecord } from '../invoices/invoice.record.js';
import { InvoiceStore } from '../invoices/invoice.store.js';
import type { ListInvoicesQuery } from './invoices.dto.js';

/** The invoices and credit notes visible to a caller: their own for a user, all of the company for an admin. */
@Injectable()
export class Invoices {
  constructor(private readonly store: InvoiceStore) {}

  async get(caller: Caller, id: string): Promise<InvoiceRecord> {
    return this.store.for(caller).show(id);
  }

  async list(caller: Caller, query: ListInvoicesQuery): Promise<Page<InvoiceRecord>> {
    const { user, kind, payment, subscription } = query;
    const asked = Object.entries({ user, kind, payment, subscription }).filter(([, value]) => value !== null);
    return this.store.for(caller).page(pageOf(query, Object.fromEntries(asked)));
  }
}
