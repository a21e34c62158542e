import { Module } from '@nestjs/common';
import { InvoicesModule } from '@commerce/invoices';

import { InvoicesController } from './invoices.controller.js';

@Module({ imports: [InvoicesModule], controllers: [InvoicesController] })
export class InvoicesApiModule {}
