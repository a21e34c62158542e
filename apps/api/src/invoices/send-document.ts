import { createHash } from 'node:crypto';

import { INVOICE_CSS, type InvoiceFile } from '@commerce/invoices';
import type { Request, Response } from 'express';

import { isHeld } from '../http/replies/etag.js';

/** Permits the document its own style sheet and its logo, and nothing else. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(INVOICE_CSS).digest('base64')}'`,
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  'sandbox',
].join('; ');

/** Sends a document, or 304 to a caller who has it. Browsers run nothing in it. */
export function sendDocument(
  { content_type, name, bytes }: InvoiceFile,
  request: Request,
  response: Response,
): void {
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const isPage = content_type === 'text/html';
  response.set({
    ETag: `"${digest}"`,
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': isPage ? PAGE_POLICY : "default-src 'none'; sandbox",
    'Content-Disposition': `inline; filename="${name}"`,
  });
  if (isHeld(request, digest)) {
    response.status(304).end();
    return;
  }
  response.set('Content-Type', isPage ? `${content_type}; charset=utf-8` : content_type);
  response.set('Content-Length', String(bytes.length));
  if (request.method === 'HEAD') response.end();
  else response.end(bytes);
}
