import type { Express, Request, Response } from 'express';
import { newId } from '../ledger/ids.js';
import type { PaymentIntentRecord, SetupIntentRecord } from '../ledger/records.js';
import { Transaction } from '../ledger/transaction.js';
import type { Settings } from '../http/call.js';
import type { Serving } from '../http/serve.js';
import { authenticationFailed, chargeApproved } from '../resources/charging.js';
import { finishSetup, setupFailed } from '../resources/setup-intents.js';
import { formPage, messagePage, type Shown } from './authentication-page.js';

type Intent = PaymentIntentRecord | SetupIntentRecord;

/**
 * The page on which a customer's bank asks for approval: GET /authenticate/<intent> shows a form, which posts
 * `outcome` approve or decline to the same address. Works without JavaScript, and with curl.
 */
export function authenticationPage(app: Express, serving: Serving & Settings): void {
  app.get('/authenticate/:intent', (req, res) => {
    const intent = find(serving, req);
    if (intent === undefined) {
      page(res, 404, messagePage('missing'));
      return;
    }
    if (!waits(intent)) {
      page(res, 200, messagePage(intent.status, intent.return_url));
      return;
    }
    page(res, 200, formPage(shown(serving, intent)));
  });
  app.post('/authenticate/:intent', (req, res) => {
    const intent = find(serving, req);
    const outcome = (req.body as { outcome?: unknown } | undefined)?.outcome;
    if (intent === undefined) {
      page(res, 404, messagePage('missing'));
      return;
    }
    if (outcome !== 'approve' && outcome !== 'decline') {
      page(res, 400, messagePage('unclear'));
      return;
    }
    const settled = waits(intent) ? answer(serving, intent, outcome === 'approve') : intent;
    if (req.header('accept')?.startsWith('application/json') === true) {
      return void res.json({ id: settled.id, status: settled.status });
    }
    if (settled.return_url === null) {
      page(res, 200, messagePage(settled.status));
      return;
    }
    res.redirect(303, returnAddress(settled, settled.return_url));
  });
}

function find({ ledger }: Serving, req: Request): Intent | undefined {
  const id = String(req.params.intent);
  return ledger.get('payment_intent', id) ?? ledger.get('setup_intent', id);
}

/** Where a charge was refused only because the customer was away, they may also come straight to this page. */
function waits(intent: Intent): boolean {
  return intent.status === 'requires_action' || refusedForAbsence(intent);
}

const refusedForAbsence = ({ status, error }: Intent): boolean =>
  status === 'requires_payment_method' && error?.code === 'authentication_required';

const methodId = ({ payment_method, error }: Intent): string => payment_method ?? error?.payment_method ?? '';

/** Carries on where the intent waits for the customer. */
function answer(serving: Serving, intent: Intent, approved: boolean): Intent {
  const { ledger, now, settleAfterMs } = serving;
  const tx = new Transaction(ledger, {
    account: intent.account,
    request: newId('req'),
    key: null,
    now: now(),
  });
  const settled = settle(tx, intent, approved, settleAfterMs);
  tx.commit();
  return settled;
}

function settle(tx: Transaction, intent: Intent, approved: boolean, settleAfterMs: number): Intent {
  const method = tx.get('payment_method', methodId(intent));
  if (intent.kind === 'setup_intent') {
    return approved && method !== undefined ? finishSetup(tx, intent, method) : setupFailed(tx, intent);
  }
  if (!approved || method === undefined) return authenticationFailed(tx, intent, methodId(intent));
  const attempt = {
    intent,
    method,
    offSession: false,
    refuseAction: false,
    operation: `authenticate ${intent.id}`,
    settleAfterMs,
  };
  return chargeApproved(tx, attempt).intent;
}

/** The merchant's address with what the provider adds to it. */
function returnAddress(intent: Intent, address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const succeeded = intent.status === 'succeeded' || intent.status === 'processing';
  url.searchParams.set(intent.kind, intent.id);
  url.searchParams.set(`${intent.kind}_client_secret`, `${intent.id}_secret_${intent.secret}`);
  url.searchParams.set('redirect_status', succeeded ? 'succeeded' : 'failed');
  return url.href;
}

function shown({ ledger, merchant }: Serving & Settings, intent: Intent): Shown {
  const method = ledger.get('payment_method', methodId(intent));
  return {
    merchant,
    card: method?.card,
    description: intent.description,
    price: intent.kind === 'payment_intent' ? { amount: intent.amount, currency: intent.currency } : null,
    reference: intent.id,
  };
}

function page(res: Response, status: number, markup: string): void {
  res
    .status(status)
    .set({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // Shops show their customer's bank in a frame, so that this page can be framed.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .send(markup);
}
