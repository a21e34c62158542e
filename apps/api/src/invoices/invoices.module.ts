import { Module } from '@nestjs/common';
import { InvoicesModule } from '@commerce/invoices';

import { InvoiceDocumentsController } from './invoice-documents.controller.js';
import { InvoicesController } from './invoices.controller.js';

@Module({ imports: [InvoicesModule], controllers: [InvoiceDocumentsController, InvoicesController] })
export class InvoicesApiModule {}
