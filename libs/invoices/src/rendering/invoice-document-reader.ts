import { Injectable } from '@nestjs/common';
import { invoiceHtml } from '../documents/html/invoice-html.js';
import { viewOfContent } from '../documents/view/view-of-content.js';
import type { InvoiceRecord } from '../invoices/invoice.record.js';
import { DocumentKeeper } from './document-keeper.js';
import type { InvoiceSyntax } from './invoice-xml.dto.js';
import { LogoReader } from './logo-reader.js';

/** A document of an invoice: the same bytes at each request. */
export interface InvoiceFile {
  readonly content_type: string;
  /** Without folders. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** The documents of invoices and credit notes. */
@Injectable()
export class InvoiceDocumentReader {
  constructor(
    private readonly logos: LogoReader,
    private readonly documents: DocumentKeeper,
  ) {}

  async html(invoice: InvoiceRecord): Promise<InvoiceFile> {
    const { content } = invoice;
    const logo = await this.logos.read(invoice.company, content.seller.logo);
    const page = invoiceHtml(viewOfContent(content), logo === null ? null : urlOfPng(logo));
    return {
      content_type: 'text/html',
      name: documentName(content.number, 'html'),
      bytes: Buffer.from(page),
    };
  }

  /** @throws Fault `service.overloaded` */
  async pdf(invoice: InvoiceRecord): Promise<InvoiceFile> {
    const bytes = await this.documents.get(invoice, 'pdf');
    return { content_type: 'application/pdf', name: documentName(invoice.number, 'pdf'), bytes };
  }

  /** @throws Fault `invoice.incomplete` where it lacks data that the rules require, or `service.overloaded` */
  async xml(invoice: InvoiceRecord, form: InvoiceSyntax): Promise<InvoiceFile> {
    const bytes = await this.documents.get(invoice, form);
    return { content_type: 'application/xml', name: documentName(invoice.number, 'xml'), bytes };
  }
}

function urlOfPng(bytes: Buffer): string {
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/** The name of the file of a document. A prefix of numbers may contain slashes. */
export function documentName(number: string, extension: string): string {
  return `${number.replaceAll('/', '-')}.${extension}`;
}
