import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InvoiceDocumentReader } from '@commerce/invoices';
import type { Caller } from '@commerce/data';
import type { Request, Response } from 'express';

import { UserOrAdmin } from '../http/access.js';
import { AnswersWholeFile, Describe, Faults, Reads } from '../http/answers.js';
import { Calling, Id } from '../http/params.js';
import { sendDocument } from './send-document.js';

/** Invoices and credit notes as files. Their content never changes. */
@ApiTags('invoices')
@Controller('invoices')
export class InvoiceDocumentsController {
  constructor(private readonly documents: InvoiceDocumentReader) {}

  @Describe(
    'Retrieve an invoice as HTML',
    'A page to read and to print, in the language of the customer: one file, which loads nothing.',
  )
  @Get(':id.html')
  @UserOrAdmin()
  @AnswersWholeFile('text/html')
  @Reads('If-None-Match')
  @Faults('service.overloaded')
  async html(
    @Calling() caller: Caller,
    @Id() id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendDocument(await this.documents.html(caller, id), request, response);
  }
}
