import { Injectable } from '@nestjs/common';

import type { InvoiceRecord } from '../invoices/invoice.record.js';
import { DocumentRenderer } from './document-renderer.js';
import type { RenderedForm } from './document-request.js';
import { DocumentStore } from './document.store.js';
import { LogoReader } from './logo-reader.js';

/** Documents that are made when first requested and kept from then on. */
@Injectable()
export class DocumentKeeper {
  /** Documents that this process is looking up or making, so that it makes none twice. */
  private readonly pending = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly store: DocumentStore,
    private readonly renderer: DocumentRenderer,
    private readonly logos: LogoReader,
  ) {}

  /** @throws Fault `invoice.incomplete` where an electronic invoice lacks data, or `service.overloaded` */
  async get(invoice: InvoiceRecord, form: RenderedForm): Promise<Buffer> {
    const key = `${invoice._id.toHexString()}/${form}`;
    const running = this.pending.get(key);
    if (running !== undefined) return running;
    const found = this.findOrMake(invoice, form).finally(() => this.pending.delete(key));
    this.pending.set(key, found);
    return found;
  }

  private async findOrMake(invoice: InvoiceRecord, form: RenderedForm): Promise<Buffer> {
    const { company, user, content } = invoice;
    const kept = await this.store.find(invoice, form);
    if (kept !== null) return kept;
    const logo = form === 'pdf' ? await this.logos.read(company, content.seller.logo) : null;
    const owner = { company: company.toHexString(), customer: user.toHexString() };
    const made = await this.renderer.render(owner, { form, content, logo });
    return this.store.keep(invoice, form, made);
  }
}
