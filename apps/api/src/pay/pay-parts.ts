import type { ClientLibrary } from '@commerce/payments';

import { html, type Html } from '@commerce/kernel';

/** The document's inputs besides its view. */
export interface PayPageFrame {
  /** The path of the page, which prefixes its calls. */
  readonly base: string;
  readonly nonce: string;
}

/** The script of the page, and the library of the card provider that it calls. */
export function scriptsFor(library: ClientLibrary | null, nonce: string): Html {
  return html`${library === null ? html`` : html`<script src="${library.script}" nonce="${nonce}"></script>`}
    <script src="/pay/assets/pay.js" type="module"></script>`;
}

export function documentOf(title: string, main: Html, scripts: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="/pay/assets/pay.css" />
      </head>
      <body>
        ${main}${scripts}
      </body>
    </html> `.text;
}

/** The place of an error; hidden while there is none. */
export function problem(text: string | null): Html {
  return text === null
    ? html`<p id="problem" class="note" role="alert" tabindex="-1" hidden></p>`
    : html`<p id="problem" class="note" role="alert" tabindex="-1">${text}</p>`;
}

export function withoutScript(merchant: string): Html {
  return html`<noscript>
    <p class="note">
      Your bank and the card provider can only ask you with JavaScript. Please switch it on for this page and
      load it again, open the link in another browser, or ask ${merchant} for another way to pay.
    </p>
  </noscript>`;
}

export function message(title: string, text: string): Html {
  return html`<h1 id="title" class="message">${title}</h1>
    <p class="lead">${text}</p>`;
}
