import { cardNamed } from '../cards/cards.js';
import type { PaymentStatus } from '../ledger/records.js';
import { html, Html } from './html.js';

/** What the customer sees before they decide. */
export interface Shown {
  readonly merchant: string;
  /** Name of the test card; undefined when it has gone since. */
  readonly card: string | undefined;
  readonly description: string | null;
  /** Minor units; null where a card is only saved. */
  readonly price: { readonly amount: number; readonly currency: string } | null;
  readonly reference: string;
}

const STYLE = new Html(`
  :root { color-scheme: light dark; --ink: #16202e; --soft: #5b6b80; --line: #e3e8ef; --paper: #fff;
    --ground: #eef2f7; --accent: #1f5eff; --go: #1f5eff; --note: #fff6df; --note-ink: #7a5600; }
  @media (prefers-color-scheme: dark) { :root { --ink: #eaf0f8; --soft: #97a6ba; --line: #2a3648; --paper: #162031;
    --ground: #0c131e; --accent: #5b8bff; --go: #3366e0; --note: #33290f; --note-ink: #f0cf7a; } }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--ground);
    color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
  main { width: 100%; max-width: 420px; background: var(--paper); border: 1px solid var(--line); border-radius: 16px;
    box-shadow: 0 12px 40px rgb(16 32 56 / .10); overflow: hidden; }
  .bank { display: flex; align-items: center; justify-content: space-between; padding: 18px 24px;
    border-bottom: 1px solid var(--line); font-weight: 600; }
  .bank span { display: flex; align-items: center; gap: 10px; }
  .bank small { font-weight: 600; font-size: 12px; letter-spacing: .02em; padding: 3px 10px; border-radius: 999px;
    background: var(--note); color: var(--note-ink); }
  .body { padding: 24px; }
  h1 { margin: 0 0 6px; font-size: 22px; line-height: 1.25; letter-spacing: -.01em; }
  p { margin: 0; color: var(--soft); }
  .price { margin: 20px 0 4px; font-size: 38px; font-weight: 700; letter-spacing: -.02em; line-height: 1.15;
    font-variant-numeric: tabular-nums; }
  dl { margin: 18px 0 24px; border-top: 1px solid var(--line); }
  dl div { display: flex; justify-content: space-between; gap: 16px; padding: 11px 0; border-bottom: 1px solid var(--line); }
  dt { color: var(--soft); flex: none; }
  dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-weight: 500; }
  dd.code { font: 13px/1.7 ui-monospace, SFMono-Regular, Menlo, monospace; font-weight: 400; }
  form { display: grid; gap: 10px; }
  button { font: inherit; font-weight: 600; padding: 13px 16px; border-radius: 10px; border: 1px solid var(--line);
    background: transparent; color: var(--ink); cursor: pointer; }
  button.go { background: var(--go); border-color: var(--go); color: #fff; }
  button:hover { filter: brightness(1.06); }
  button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  footer { padding: 14px 24px; background: var(--ground); color: var(--soft); font-size: 13px; }
  .sign { width: 56px; height: 56px; margin-bottom: 16px; }
  a { color: var(--accent); font-weight: 600; }
`);

const SHIELD = new Html(
  '<svg width="22" height="24" viewBox="0 0 22 24" fill="none" aria-hidden="true"><path d="M11 1 2 4.4v6.9c0 5.3 3.7 ' +
    '9.9 9 11.7 5.3-1.8 9-6.4 9-11.7V4.4L11 1Z" fill="var(--accent)"/><path d="m6.8 11.8 3 3 5.4-5.6" stroke="#fff" ' +
    'stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>',
);

function document(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <main>
          <div class="bank"><span>${SHIELD} Sandbox Bank</span><small>Test mode</small></div>
          <div class="body">${content}</div>
          <footer>This page stands in for the customer's bank. No money moves.</footer>
        </main>
      </body>
    </html> `.text;
}

/** The form. Both buttons post `outcome` to the page's own address. */
export function formPage(shown: Shown): string {
  const heading = shown.price === null ? 'Save your card?' : 'Approve this payment?';
  const price = shown.price === null ? html`` : html`<div class="price">${money(shown.price)}</div>`;
  const about =
    shown.price === null
      ? html`${shown.merchant} asks to save your card for later payments.`
      : html`${shown.merchant} asks your bank to confirm that it is you.`;
  return document(
    heading,
    html`<h1>${heading}</h1>
      <p>${about}</p>
      ${price}
      <dl>
        ${row('Merchant', shown.merchant)}
        ${shown.description === null ? html`` : row('For', shown.description)}
        ${shown.card === undefined ? html`` : row('Card', cardText(shown.card))}
        ${row('Reference', shown.reference, 'code')}
      </dl>
      <form method="post">
        <button class="go" name="outcome" value="approve">Approve</button>
        <button name="outcome" value="decline">Decline</button>
      </form>`,
  );
}

const row = (term: string, value: string, kind = ''): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd class="${kind}">${value}</dd>
  </div>`;

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

function cardText(name: string): string {
  const card = cardNamed(name);
  return `${BRANDS[card.brand] ?? card.brand} •••• ${card.number.slice(-4)}`;
}

function money({ amount, currency }: NonNullable<Shown['price']>): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

type Outcome = PaymentStatus | 'missing' | 'unclear';

const WORDS: Readonly<
  Record<Outcome, { readonly title: string; readonly text: string; readonly good: boolean | null }>
> = {
  succeeded: { title: 'All done', text: 'It is approved. You can close this page.', good: true },
  processing: { title: 'Approved', text: 'The payment is on its way. You can close this page.', good: true },
  requires_payment_method: {
    title: 'Not approved',
    text: 'Nothing was charged. You can go back and try another card.',
    good: false,
  },
  canceled: { title: 'Called off', text: 'The merchant called this off. Nothing was charged.', good: false },
  requires_action: { title: 'Still waiting', text: 'This is still waiting for your answer.', good: null },
  requires_confirmation: {
    title: 'Nothing to approve',
    text: 'Your bank has not been asked about this yet.',
    good: null,
  },
  missing: { title: 'Nothing here', text: 'Your bank knows no such payment.', good: null },
  unclear: { title: 'Please choose', text: 'Send the outcome approve or decline.', good: null },
};

/** What has come of it. */
export function messagePage(outcome: Outcome, returnUrl: string | null = null): string {
  const { title, text, good } = WORDS[outcome];
  // An address of another kind, such as javascript:, must not become a link.
  const back =
    returnUrl === null || !/^https?:/i.test(returnUrl)
      ? html``
      : html`<p style="margin-top:16px"><a href="${returnUrl}">Back to the merchant</a></p>`;
  return document(
    title,
    html`${sign(good)}
      <h1>${title}</h1>
      <p>${text}</p>
      ${back}`,
  );
}

function sign(good: boolean | null): Html {
  if (good === null) return html``;
  const [color, path] = good ? ['#12915b', 'm17 29 8 8 15-17'] : ['#c2352b', 'm19 19 18 18M37 19 19 37'];
  return html`<svg class="sign" viewBox="0 0 56 56" fill="none" aria-hidden="true">
    <circle cx="28" cy="28" r="28" fill="${color}" opacity=".14" />
    <path d="${path}" stroke="${color}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" />
  </svg>`;
}
