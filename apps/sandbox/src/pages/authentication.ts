import type { Express, Request, Response } from 'express';
import type { Context } from '../http/call.js';
import type { PaymentIntentRecord, SetupIntentRecord } from '../ledger/records.js';
import { randomText, Transaction } from '../ledger/transaction.js';
import { finishSetup } from '../resources/customers/setup-intents.js';
import { chargeApproved } from '../resources/payments/charging.js';
import { formPage, messagePage } from './authentication-page.js';

type Intent = PaymentIntentRecord | SetupIntentRecord;

/**
 * The page on which a customer's bank asks for approval: GET /authenticate/<intent> shows a form, which posts
 * `outcome` approve or decline to the same address. It works without JavaScript, and with curl.
 */
export function authenticationPage(app: Express, context: Context): void {
  const { ledger, merchant } = context;
  const find = (req: Request): Intent | undefined => {
    const id = String(req.params.intent);
    return ledger.get('payment_intent', id) ?? ledger.get('setup_intent', id);
  };
  app.get('/authenticate/:intent', (req, res) => {
    const intent = find(req);
    if (intent === undefined) page(res, 404, messagePage('missing'));
    else if (!waits(intent)) page(res, 200, messagePage(intent.status, intent.return_url));
    else page(res, 200, formPage(merchant, intent, ledger.get('payment_method', methodId(intent))?.card));
  });
  app.post('/authenticate/:intent', (req, res) => {
    const intent = find(req);
    const outcome = (req.body as { outcome?: unknown } | undefined)?.outcome;
    if (intent === undefined) {
      page(res, 404, messagePage('missing'));
    } else if (outcome !== 'approve' && outcome !== 'decline') {
      page(res, 400, messagePage('unclear'));
    } else {
      const settled = waits(intent) ? answer(context, intent, outcome === 'approve') : intent;
      if (settled.return_url === null) page(res, 200, messagePage(settled.status));
      else res.redirect(303, returnAddress(settled, settled.return_url));
    }
  });
}

/** A customer may also come straight to this page where a charge was refused only because they were away. */
function waits({ status, error }: Intent): boolean {
  const refusedForAbsence = status === 'requires_payment_method' && error?.code === 'authentication_required';
  return status === 'requires_action' || refusedForAbsence;
}

const methodId = ({ payment_method, error }: Intent): string => payment_method ?? error?.payment_method ?? '';

/** Carries on where the intent waits for the customer. */
function answer({ ledger, now, settleAfterMs }: Context, intent: Intent, approved: boolean): Intent {
  const { account } = intent;
  const tx = new Transaction(ledger, { account, request: `req_${randomText(14)}`, key: null, now: now() });
  const settled = settle(tx, intent, approved, settleAfterMs);
  tx.commit();
  return settled;
}

function settle(tx: Transaction, intent: Intent, approved: boolean, settleAfterMs: number): Intent {
  const method = tx.get('payment_method', methodId(intent));
  if (!approved || method === undefined) return authenticationFailed(tx, intent);
  if (intent.kind === 'setup_intent') return finishSetup(tx, intent, method);
  const operation = `authenticate ${intent.id}`;
  const attempt = { intent, method, offSession: false, refuseAction: false, operation, settleAfterMs };
  return chargeApproved(tx, attempt).intent;
}

function authenticationFailed(tx: Transaction, intent: Intent): Intent {
  const error = {
    type: 'invalid_request_error',
    code: `${intent.kind}_authentication_failure`,
    message: 'The customer did not authenticate. It can be tried again with a payment method.',
    payment_method: methodId(intent),
  } as const;
  const failed = tx.save({ ...intent, status: 'requires_payment_method', payment_method: null, error });
  tx.tell(
    intent.kind === 'payment_intent' ? 'payment_intent.payment_failed' : 'setup_intent.setup_failed',
    failed,
  );
  return failed;
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
