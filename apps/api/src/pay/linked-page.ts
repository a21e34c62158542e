import { randomBytes } from 'node:crypto';

import { isFault } from '@commerce/kernel';
import type { ClientLibrary } from '@commerce/payments';
import type { Response } from 'express';

import { linkDocument } from './pay-document.js';
import { contentPolicy } from './pay-policy.js';

/** Sends the page to which a link leads, or one that says why it leads nowhere: 410 expired, 404 invalid. */
export async function sendLinkedPage<View extends { readonly library: ClientLibrary | null }>(
  response: Response,
  read: () => Promise<View>,
  documentOf: (view: View, nonce: string) => string,
): Promise<void> {
  const nonce = randomBytes(16).toString('base64');
  response.setHeader('Content-Security-Policy', contentPolicy(nonce, null));
  response.type('html');
  try {
    const view = await read();
    response.setHeader('Content-Security-Policy', contentPolicy(nonce, view.library));
    response.send(documentOf(view, nonce));
  } catch (error) {
    if (isFault(error, 'pay_link.expired')) response.status(410).send(linkDocument('expired'));
    else if (isFault(error, 'pay_link.invalid')) response.status(404).send(linkDocument('invalid'));
    else throw error;
  }
}
