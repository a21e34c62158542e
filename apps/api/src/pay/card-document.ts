import type { CardView } from '@commerce/payments';

import { html, type Html } from '@commerce/kernel';
import { documentOf, message, problem, scriptsFor, withoutScript, type PayPageFrame } from './pay-parts.js';

const TITLES = { new_card: 'Save a card', saved: 'Card saved' } as const;

/** The page on which a customer saves a card. */
export function cardDocument(view: CardView, { base, nonce }: PayPageFrame): string {
  const { state, merchant } = view;
  const library = state === 'new_card' ? view.library : null;
  return documentOf(
    `${TITLES[state]} · ${merchant}`,
    html`<main
      data-base="${base}"
      data-key="${library?.publishable_key ?? ''}"
      data-state="${state}"
      data-saving="Saving the card…"
      aria-labelledby="title"
    >
      <header><span aria-hidden="true">${merchant.slice(0, 1).toUpperCase()}</span>${merchant}</header>
      <div class="body">${contentOf(view)}</div>
      <footer>Card details go to the card provider alone; ${merchant} never sees them.</footer>
    </main>`,
    library === null ? html`` : scriptsFor(library, nonce),
  );
}

function contentOf({ state, merchant, card }: CardView): Html {
  if (state === 'saved') {
    return html`<div class="done" aria-hidden="true">✓</div>
      ${message('The card is saved', `${merchant} can charge ${card ?? 'it'} for what you buy there. You can close this page.`)}`;
  }
  return html`<h1 id="title">Save a card for ${merchant}</h1>
    <p class="lead">Nothing is charged now. Your bank may ask you to confirm.</p>
    ${problem(null)}${withoutScript(merchant)}
    <form id="card">
      <div class="field">
        <label id="card-label">Card</label>
        <div id="card-element" role="group" aria-labelledby="card-label"></div>
      </div>
      <button>Save the card</button>
    </form>
    <p id="status" role="status"></p>`;
}
