import { readFileSync } from 'node:fs';

import { Html, html } from '@commerce/kernel';

import type { DocumentView, Fact, LineView, PartyView, TaxView, TotalView } from '../view/document-view.js';

/** The style sheet, which each document contains: it is one file. */
export const INVOICE_CSS = readFileSync(new URL('./assets/invoice.css', import.meta.url), 'utf8');

/** A document as one page of HTML. `logo` is a URL of its bytes; null where the seller has none. */
export function invoiceHtml(view: DocumentView, logo: string | null): string {
  const { language, title, number, seller, buyer } = view;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} ${number} · ${seller.name}</title>
        ${STYLE}
      </head>
      <body>
        <main aria-labelledby="title">
          ${head(seller, logo)}
          <div class="parties">
            <div class="buyer">
              <p class="label" id="buyer">${view.buyer_label}</p>
              <address aria-labelledby="buyer">
                <b dir="auto">${buyer.name}</b>${textLines(buyer.address)}
              </address>
              ${buyer.facts.length === 0 ? html`` : html`<dl>${facts(buyer.facts)}</dl>`}
            </div>
            <dl class="facts">${facts(view.facts)}</dl>
          </div>
          <h1 id="title">${title} <span>${number}</span></h1>
          ${lines(view)} ${sums(view)}
          ${view.footer === null ? html`` : html`<p class="closing" dir="auto">${view.footer}</p>`}
          <footer class="seller">
            <dl>
              <div><dt dir="auto">${seller.name}</dt></div>
              ${facts(seller.facts)}
            </dl>
          </footer>
        </main>
      </body>
    </html> `.text;
}

/** Inserted unchanged: the policy of the page permits exactly these bytes. */
const STYLE = new Html(`<style>${INVOICE_CSS}</style>`);

function head({ name, address }: PartyView, logo: string | null): Html {
  const shown =
    logo === null ? html`<p class="name" dir="auto">${name}</p>` : html`<img src="${logo}" alt="${name}" />`;
  return html`<header class="top">
    <div>${shown}</div>
    <address>${logo === null ? html`` : html`<b dir="auto">${name}</b>`}${textLines(address)}</address>
  </header>`;
}

function textLines(texts: readonly string[]): Html[] {
  return texts.map((text) => html`<div dir="auto">${text}</div>`);
}

function facts(all: readonly Fact[]): Html[] {
  return all.map(
    ({ label, value }) =>
      html`<div>
        <dt>${label}</dt>
        <dd dir="auto">${value}</dd>
      </div>`,
  );
}

function lines({ columns, lines: all }: DocumentView): Html {
  const { description, quantity, unit_price, tax_rate, amount, prices } = columns;
  return html`<table class="lines">
    <thead>
      <tr>
        <th scope="col">${description}</th>
        <th scope="col" class="number">${quantity}</th>
        <th scope="col" class="number minor">${unit_price}<small>${prices}</small></th>
        <th scope="col" class="number minor">${tax_rate}</th>
        <th scope="col" class="number">${amount}<small>${prices}</small></th>
      </tr>
    </thead>
    <tbody>
      ${all.map(line)}
    </tbody>
  </table>`;
}

function line({ description, notes, quantity, unit_price, tax_rate, amount }: LineView): Html {
  return html`<tr>
    <td>
      <span dir="auto">${description}</span>${notes.map((note) => html`<span class="note">${note}</span>`)}
    </td>
    <td class="number">${quantity}</td>
    <td class="number minor">${unit_price}</td>
    <td class="number minor">${tax_rate}</td>
    <td class="number">${amount}</td>
  </tr>`;
}

function sums({ tax_columns, taxes, tax_notes, totals }: DocumentView): Html {
  const { rate, net, tax, gross } = tax_columns;
  return html`<div class="sums">
    <div>
      <table class="taxes">
        <thead>
          <tr>
            <th scope="col">${rate}</th>
            <th scope="col" class="number">${net}</th>
            <th scope="col" class="number">${tax}</th>
            <th scope="col" class="number">${gross}</th>
          </tr>
        </thead>
        <tbody>
          ${taxes.map(taxRow)}
        </tbody>
      </table>
      ${tax_notes.map((note) => html`<p class="reasons">${note}</p>`)}
    </div>
    <dl class="totals">${totals.map(total)}</dl>
  </div>`;
}

function taxRow({ rate, net, tax, gross }: TaxView): Html {
  return html`<tr>
    <td>${rate}</td>
    <td class="number">${net}</td>
    <td class="number">${tax}</td>
    <td class="number">${gross}</td>
  </tr>`;
}

function total({ label, value, weight }: TotalView): Html {
  return html`<div class="${weight}">
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;
}
