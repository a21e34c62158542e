import { Injectable } from '@nestjs/common';
import type { Caller } from '@commerce/data';

import type { InvoiceContent } from '../content/invoice-content.js';
import { invoiceHtml } from '../documents/html/invoice-html.js';
import { viewOfContent } from '../documents/view/view-of-content.js';
import { InvoiceStore } from '../invoices/invoice.store.js';
import { DocumentRenderer } from './document-renderer.js';
import type { InvoiceSyntax } from './invoice-xml.dto.js';
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
    private readonly renderer: DocumentRenderer,
  ) {}

  async html(caller: Caller, id: string): Promise<InvoiceFile> {
    const { content, logo } = await this.read(caller, id);
    const page = invoiceHtml(viewOfContent(content), logo === null ? null : urlOfPng(logo));
    return {
      content_type: 'text/html',
      name: documentName(content.number, 'html'),
      bytes: Buffer.from(page),
    };
  }

  /** @throws Fault `service.overloaded` */
  async pdf(caller: Caller, id: string): Promise<InvoiceFile> {
    const { content, logo } = await this.read(caller, id);
    const bytes = await this.renderer.render({ form: 'pdf', content, logo });
    return { content_type: 'application/pdf', name: documentName(content.number, 'pdf'), bytes };
  }

  /** @throws Fault `invoice.incomplete` where it lacks data that the rules require, or `service.overloaded` */
  async xml(caller: Caller, id: string, form: InvoiceSyntax): Promise<InvoiceFile> {
    const { content } = await this.store.for(caller).show(id);
    const bytes = await this.renderer.render({ form, content, logo: null });
    return { content_type: 'application/xml', name: documentName(content.number, 'xml'), bytes };
  }

  private async read(
    caller: Caller,
    id: string,
  ): Promise<{ readonly content: InvoiceContent; readonly logo: Buffer | null }> {
    const { company, content } = await this.store.for(caller).show(id);
    return { content, logo: await this.logos.read(company, content.seller.logo) };
  }
}

function urlOfPng(bytes: Buffer): string {
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/** The name of the file of a document. A prefix of numbers may contain slashes. */
export function documentName(number: string, extension: string): string {
  return `${number.replaceAll('/', '-')}.${extension}`;
}
