import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InvoiceRecord, Invoices, ListInvoicesQuery } from '@commerce/invoices';
import type { Caller, Page } from '@commerce/data';

import { UserOrAdmin } from '../http/access.js';
import { Answers, Describe } from '../http/answers.js';
import { Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('invoices')
@Controller('invoices')
export class InvoicesController {
  constructor(private readonly invoices: Invoices) {}

  @Describe(
    'List invoices',
    'Invoices and credit notes, the newest first; `payment` gives those of one payment. Users see their own only.',
  )
  @Get()
  @UserOrAdmin()
  @Answers([InvoiceRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListInvoicesQuery) query: ListInvoicesQuery,
  ): Promise<Page<InvoiceRecord>> {
    return this.invoices.list(caller, query);
  }

  @Describe('Retrieve an invoice', 'An invoice or a credit note, which never changes.')
  @Get(':id')
  @UserOrAdmin()
  @Answers(InvoiceRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<InvoiceRecord> {
    return this.invoices.get(caller, id);
  }
}
