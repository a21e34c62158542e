import { cardNamed } from '../cards/cards.js';
import type { PaymentIntentRecord, PaymentStatus, SetupIntentRecord } from '../ledger/records.js';
import { html, Html } from './html.js';

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
  .sign { font-size: 44px; line-height: 1; color: var(--accent); }
  .back { margin-top: 16px; }
  a { color: var(--accent); font-weight: 600; }
`);

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
          <div class="bank"><span>Sandbox Bank</span><small>Test mode</small></div>
          <div class="body">${content}</div>
          <footer>This page stands in for the customer's bank. No money moves.</footer>
        </main>
      </body>
    </html> `.text;
}

/** The form. Both buttons post `outcome` to the page's own address. */
export function formPage(
  merchant: string,
  intent: PaymentIntentRecord | SetupIntentRecord,
  card: string | undefined,
): string {
  const price = intent.kind === 'payment_intent' ? money(intent) : null;
  const heading = price === null ? 'Save your card?' : 'Approve this payment?';
  const question =
    price === null ? 'asks to save your card for later payments' : 'asks your bank to confirm that it is you';
  return document(
    heading,
    html`<h1>${heading}</h1>
      <p>${merchant} ${question}.</p>
      ${price === null ? html`` : html`<div class="price">${price}</div>`}
      <dl>
        ${row('Merchant', merchant)} ${intent.description === null ? html`` : row('For', intent.description)}
        ${card === undefined ? html`` : row('Card', cardText(card))} ${row('Reference', intent.id, 'code')}
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

function cardText(name: string): string {
  const { brand, number } = cardNamed(name);
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} •••• ${number.slice(-4)}`;
}

function money({ amount, currency }: PaymentIntentRecord): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/** A sign for a good or a bad outcome, the title, and the text. */
const WORDS = {
  succeeded: ['✓', 'All done', 'It is approved. You can close this page.'],
  processing: ['✓', 'Approved', 'The payment is being processed. You can close this page.'],
  requires_payment_method: [
    '✗',
    'Not approved',
    'Nothing was charged. You can go back and try another card.',
  ],
  canceled: ['✗', 'Canceled', 'The merchant canceled this. Nothing was charged.'],
  requires_action: ['', 'Still waiting', 'This is still waiting for your answer.'],
  requires_confirmation: ['', 'Nothing to approve', 'Your bank has not been asked about this yet.'],
  missing: ['', 'Nothing here', 'Your bank knows no such payment.'],
  unclear: ['', 'Please choose', 'Send the outcome approve or decline.'],
} as const satisfies Record<PaymentStatus | 'missing' | 'unclear', readonly string[]>;

/** The page after the answer, or without a question. */
export function messagePage(outcome: keyof typeof WORDS, returnUrl: string | null = null): string {
  const [sign, title, text] = WORDS[outcome];
  // An address of another kind, such as javascript:, must not become a link.
  const linked = returnUrl !== null && /^https?:/i.test(returnUrl);
  const back = linked ? html`<p class="back"><a href="${returnUrl}">Back to the merchant</a></p>` : html``;
  return document(
    title,
    html`<div class="sign" aria-hidden="true">${sign}</div>
      <h1>${title}</h1>
      <p>${text}</p>
      ${back}`,
  );
}
