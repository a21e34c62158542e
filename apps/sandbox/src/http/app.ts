import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { clientLibrary } from '../pages/client-library.js';
import { authenticationPage } from '../pages/authentication.js';
import { chargeRoutes } from '../resources/charges.js';
import { cardList, controlRoutes } from '../resources/control.js';
import { customerRoutes } from '../resources/customers.js';
import { eventRoutes } from '../resources/events.js';
import { paymentIntentRoutes } from '../resources/payment-intents.js';
import { paymentMethodRoutes } from '../resources/payment-methods.js';
import { refundRoutes } from '../resources/refunds.js';
import { setupIntentRoutes } from '../resources/setup-intents.js';
import { newId } from '../ledger/ids.js';
import type { Settings } from './call.js';
import { send } from './send.js';
import { type Serving, serve } from './serve.js';

/** Bodies are small forms; anything larger is a mistake. */
const BODY_LIMIT = '256kb';

export function createApp(serving: Serving & Settings): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'extended');
  app.use(express.urlencoded({ extended: true, limit: BODY_LIMIT }), express.json({ limit: BODY_LIMIT }));
  app.get('/health', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/sandbox/cards', (_req, res) => void res.json(cardList()));
  clientLibrary(app);
  authenticationPage(app, serving);
  // The routes that are asked most often come first.
  const routes = [
    ...paymentIntentRoutes(serving),
    ...refundRoutes(serving),
    ...chargeRoutes,
    ...customerRoutes,
    ...paymentMethodRoutes,
    ...setupIntentRoutes,
    ...eventRoutes,
    ...controlRoutes,
  ];
  for (const route of routes) app[route.method](route.path, serve(serving, route));
  app.use(unknownAddress);
  // Express knows a handler of errors by its four parameters.
  app.use((error: Unreadable, _req: Request, res: Response, next: NextFunction) =>
    unreadable(error, res, next),
  );
  return app;
}

function unknownAddress(req: Request, res: Response): void {
  const message = `The sandbox has no ${req.method} ${req.path}`;
  const headers = { 'request-id': newId('req') };
  send(res, { status: 404, body: { error: { type: 'invalid_request_error', message } }, headers });
}

type Unreadable = Error & { readonly status?: number };

/** Bodies and addresses that cannot be read. */
function unreadable(error: Unreadable, res: Response, next: NextFunction): void {
  if (res.headersSent) {
    next(error);
    return;
  }
  const headers = { 'request-id': newId('req') };
  const { status = 400, message } = error;
  send(res, { status, body: { error: { type: 'invalid_request_error', message } }, headers });
}
