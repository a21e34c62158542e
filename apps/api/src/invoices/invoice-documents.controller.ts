import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InvoiceDocumentReader, InvoiceXmlQuery, Invoices } from '@commerce/invoices';
import type { Caller } from '@commerce/data';
import type { Request, Response } from 'express';

import { UserOrAdmin } from '../http/access.js';
import { AnswersWholeFile, Describe, Faults, Reads } from '../http/answers.js';
import { Calling, Id, QueryOf } from '../http/params.js';
import { sendDocument } from './send-document.js';

/** Invoices and credit notes as files. Their content never changes. */
@ApiTags('invoices')
@Controller('invoices')
export class InvoiceDocumentsController {
  constructor(
    private readonly invoices: Invoices,
    private readonly documents: InvoiceDocumentReader,
  ) {}

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
    sendDocument(await this.documents.html(await this.invoices.get(caller, id)), request, response);
  }

  @Describe(
    'Retrieve an invoice as PDF',
    'PDF/A-3 in the language of the customer. It contains the invoice as XML, too (Factur-X, profile EN 16931), unless the invoice lacks data that an electronic invoice must have.',
  )
  @Get(':id.pdf')
  @UserOrAdmin()
  @AnswersWholeFile('application/pdf')
  @Reads('If-None-Match')
  @Faults('service.overloaded')
  async pdf(
    @Calling() caller: Caller,
    @Id() id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendDocument(await this.documents.pdf(await this.invoices.get(caller, id)), request, response);
  }

  @Describe(
    'Retrieve an invoice as XML',
    'An electronic invoice by EN 16931: UBL (Peppol BIS Billing 3.0 where Peppol can carry it), or CII as Factur-X has it.',
  )
  @Get(':id.xml')
  @UserOrAdmin()
  @AnswersWholeFile('application/xml')
  @Reads('If-None-Match')
  @Faults('invoice.incomplete', 'service.overloaded')
  async xml(
    @Calling() caller: Caller,
    @Id() id: string,
    @QueryOf(InvoiceXmlQuery) { syntax }: InvoiceXmlQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendDocument(await this.documents.xml(await this.invoices.get(caller, id), syntax), request, response);
  }
}
