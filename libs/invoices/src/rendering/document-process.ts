/**
 * A process of its own, started by DocumentRenderer: makes one document after the other, and ends with its parent. It
 * needs no setting, no connection and no secret.
 */
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

import { isFault } from '@commerce/kernel';

import type { InvoiceContent } from '../content/invoice-content.js';
import { DocumentFonts } from '../documents/pdf/fonts.js';
import { PdfRenderer } from '../documents/pdf/pdf-renderer.js';
import { viewOfContent } from '../documents/view/view-of-content.js';
import { ciiOf } from '../documents/xml/cii.js';
import { ublOf } from '../documents/xml/ubl.js';
import type { DocumentReply, DocumentRequest } from './document-request.js';

/** The build copies the fonts there. */
const FONTS = new URL('../../../../fonts', import.meta.url);

const NICE = 10;

let renderer: PdfRenderer | null = null;

// Requests come before documents.
setPriority(NICE);

process.on('message', (request: DocumentRequest) => {
  process.send?.(replyTo(request));
});
process.once('disconnect', () => process.exit());

function replyTo(request: DocumentRequest): DocumentReply {
  try {
    return { kind: 'made', bytes: bytesOf(request), memory: process.memoryUsage.rss() };
  } catch (error) {
    if (!isFault(error))
      return { kind: 'failed', error: error instanceof Error ? error.message : String(error) };
    const { code, message, details } = error;
    return { kind: 'refused', code, message, details };
  }
}

function bytesOf({ form, content, logo }: DocumentRequest): Uint8Array {
  switch (form) {
    case 'pdf':
      renderer ??= new PdfRenderer(DocumentFonts.in(fileURLToPath(FONTS)));
      return renderer.render(viewOfContent(content), { logo, xml: embeddedXml(content) });
    case 'cii':
      return Buffer.from(ciiOf(content));
    case 'ubl':
      return Buffer.from(ublOf(content));
  }
}

/** A document without the data that an electronic invoice must have is a PDF all the same, without XML. */
function embeddedXml(content: InvoiceContent): string | null {
  try {
    return ciiOf(content);
  } catch (error) {
    if (isFault(error, 'invoice.incomplete')) return null;
    throw error;
  }
}
