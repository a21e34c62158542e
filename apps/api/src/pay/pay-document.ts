import type { PayView } from '@commerce/payments';

import { html, type Html } from '@commerce/kernel';
import { documentOf, message, problem, scriptsFor, withoutScript, type PayPageFrame } from './pay-parts.js';
import type { Receipt } from './receipt-reader.js';

/** The payment that the page shows, and its documents where it is paid. */
export interface ReceivedView extends PayView {
  readonly receipt: Receipt | null;
}

export function payDocument(view: ReceivedView, frame: PayPageFrame): string {
  const { state, merchant, receipt } = view;
  const content = contentOf(view, frame);
  const library = isOpen(state) ? view.library : null;
  const isStill = library === null && state !== 'under_way' && receipt?.state !== 'due';
  const scripts = isStill ? html`` : scriptsFor(library, frame.nonce);
  return documentOf(
    `${TITLES[state]} · ${merchant}`,
    html`<main
      data-base="${frame.base}"
      data-key="${library?.publishable_key ?? ''}"
      data-state="${state}"
      aria-labelledby="title"
    >
      <header><span aria-hidden="true">${merchant.slice(0, 1).toUpperCase()}</span>${merchant}</header>
      <div class="body">${content}</div>
      <footer>Card details go to the card provider alone; ${merchant} never sees them.</footer>
    </main>`,
    scripts,
  );
}

/** The page for an expired or invalid link. */
export function linkDocument(reason: 'expired' | 'invalid'): string {
  const title = reason === 'expired' ? 'This link has expired' : 'This link does not work';
  const text =
    reason === 'expired'
      ? 'Such links are good for seven days. Please ask the merchant for a new one.'
      : 'Please check that you have opened the whole link, or ask the merchant for a new one.';
  return documentOf(
    title,
    html`<main aria-labelledby="title"><div class="body">${message(title, text)}</div></main>`,
    html``,
  );
}

const TITLES: Readonly<Record<PayView['state'], string>> = {
  authenticate: 'Confirm your payment',
  new_card: 'Pay by another card',
  under_way: 'Payment under way',
  paid: 'Paid',
  closed: 'Nothing to pay',
};

function isOpen(state: PayView['state']): boolean {
  return state === 'authenticate' || state === 'new_card';
}

function contentOf(view: ReceivedView, frame: PayPageFrame): Html {
  const { merchant } = view;
  switch (view.state) {
    case 'authenticate':
      return html`${bill(view, 'Your bank asks you to confirm this payment.')}${problem(null)}${withoutScript(merchant)}
        <form id="authenticate"><button>Confirm ${money(view)}</button></form>
        <details>
          <summary>Pay by another card</summary>
          ${cardForm(view)}
        </details>
        <p id="status" role="status"></p>`;
    case 'new_card':
      return html`${bill(view, 'The last attempt to pay did not succeed. Please pay by another card.')}
        ${problem(view.problem)}${withoutScript(merchant)}${cardForm(view)}
        <p id="status" role="status"></p>`;
    case 'under_way':
      return html`${message('Your payment is under way', 'This page shows how it ends. You can also come back later.')}
        ${problem(null)}
        <p id="status" role="status"></p>`;
    case 'paid':
      return html`<div class="done" aria-hidden="true">✓</div>
        ${message('Paid. Thank you!', `${merchant} has received your payment. You can close this page.`)}
        ${lines(view)}${receiptOf(view, frame)}${creditNotesOf(view, frame)}`;
    case 'closed':
      return message(
        'There is nothing to pay here any more',
        `The payment was cancelled or replaced by another one. If you still owe something, ${merchant} will tell you.`,
      );
  }
}

/** The link to the invoice; hidden until the script of the page sees that it is there. */
function receiptOf({ receipt }: ReceivedView, { base }: PayPageFrame): Html {
  const state = receipt?.state ?? 'none';
  if (state === 'none') return html``;
  const link = (hidden: Html): Html =>
    html`<a id="invoice" class="action" href="${base}/invoice.pdf" ${hidden}>Download the invoice (PDF)</a>`;
  if (state === 'ready') return link(html``);
  return html`<p
      id="invoice-due"
      class="lead"
      role="status"
      data-later="Your invoice takes longer. Please load this page again later."
    >
      Your invoice is being made. It appears here in a moment.
    </p>
    ${link(html`hidden`)}`;
}

const KINDS = { invoice: 'Invoice', credit_note: 'Credit note' } as const;

/** The links to the documents of what was given back, and of what came back of it. */
function creditNotesOf({ receipt }: ReceivedView, { base }: PayPageFrame): Html {
  const notes = receipt?.corrections ?? [];
  if (notes.length === 0) return html``;
  const links = notes.map(
    ({ _id, kind, number, gross, currency }) =>
      html`<li>
        <a href="${base}/credit_notes/${_id.toHexString()}.pdf">${KINDS[kind]} ${number} (PDF)</a>
        <span>${money({ amount: kind === 'credit_note' ? gross : -gross, currency })}</span>
      </li>`,
  );
  return html`<h2 id="given-back">Given back to you</h2>
    <ul aria-labelledby="given-back">
      ${links}
    </ul>`;
}

function bill(view: PayView, lead: string): Html {
  const { subject, merchant } = view;
  return html`<h1 id="title">${subject?.title ?? 'Payment'} at ${merchant}</h1>
    <p class="amount">${money(view)}</p>
    <p class="lead">${lead}</p>
    ${lines(view)}`;
}

function lines({ subject, currency }: PayView): Html {
  if (subject === null || subject.lines.length === 0) return html``;
  const rows = subject.lines.map(
    ({ text, amount, note = null }) =>
      html`<div>
        <dt>${text}${note === null ? html`` : html`<small>${note}</small>`}</dt>
        <dd>${amount === null ? '' : money({ amount, currency })}</dd>
      </div>`,
  );
  return html`<dl>
    ${rows}
    <div class="quiet">
      <dt>Reference</dt>
      <dd>${subject.reference}</dd>
    </div>
  </dl>`;
}

function cardForm(view: PayView): Html {
  return html`<form id="card">
    <div class="field">
      <label id="card-label">Card</label>
      <div id="card-element" role="group" aria-labelledby="card-label"></div>
    </div>
    <button>Pay ${money(view)}</button>
  </form>`;
}

function money({ amount, currency }: Pick<PayView, 'amount' | 'currency'>): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount).replace('-', '−');
}
