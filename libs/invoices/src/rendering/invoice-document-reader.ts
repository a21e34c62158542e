import { Injectable } from '@nestjs/common';
import type { Caller } from '@commerce/data';

import { invoiceHtml } from '../documents/html/invoice-html.js';
import { viewOfContent } from '../documents/view/view-of-content.js';
import { InvoiceStore } from '../invoices/invoice.store.js';
import { LogoReader } from './logo-reader.js';

/** A document of an invoice: the same bytes at each request. */
export interface InvoiceFile {
  readonly content_type: string;
  /** Without folders. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** The documents of the invoices and credit notes that are visible to a caller. */
@Injectable()
export class InvoiceDocumentReader {
  constructor(
    private readonly store: InvoiceStore,
    private readonly logos: LogoReader,
  ) {}

  async html(caller: Caller, id: string): Promise<InvoiceFile> {
    const { company, content } = await this.store.for(caller).show(id);
    const logo = await this.logos.read(company, content.seller.logo);
    const page = invoiceHtml(viewOfContent(content), logo === null ? null : urlOfPng(logo));
    return { content_type: 'text/html', name: fileName(content.number, 'html'), bytes: Buffer.from(page) };
  }
}

function urlOfPng(bytes: Buffer): string {
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/** A prefix of numbers may contain slashes. */
function fileName(number: string, extension: string): string {
  return `${number.replaceAll('/', '-')}.${extension}`;
}
