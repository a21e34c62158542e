import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { authenticationPage } from '../pages/authentication.js';
import { clientLibrary } from '../pages/client-library.js';
import { cardList, controlRoutes } from '../resources/control/control.js';
import { customerRoutes } from '../resources/customers/customers.js';
import { paymentMethodRoutes } from '../resources/customers/payment-methods.js';
import { setupIntentRoutes } from '../resources/customers/setup-intents.js';
import { eventRoutes } from '../resources/events.js';
import { chargeRoutes } from '../resources/payments/charges.js';
import { paymentIntentRoutes } from '../resources/payments/payment-intents.js';
import { refundRoutes } from '../resources/payments/refunds.js';
import type { Context } from './call.js';
import { Refusal } from './refusal.js';
import { sendError, serve } from './serve.js';

/** Bodies are small forms; a larger one is a mistake. */
const BODY_LIMIT = '256kb';

const ROUTES = [
  ...paymentIntentRoutes,
  ...refundRoutes,
  ...chargeRoutes,
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...setupIntentRoutes,
  ...eventRoutes,
  ...controlRoutes,
];

export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'extended');
  app.use(express.urlencoded({ extended: true, limit: BODY_LIMIT }));
  app.get('/health', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/sandbox/cards', (_req, res) => void res.json(cardList()));
  clientLibrary(app);
  authenticationPage(app, context);
  const inFlight = new Set<string>();
  for (const route of ROUTES) app[route.method](route.path, serve(context, route, inFlight));
  app.use((req: Request) => {
    const message = `The sandbox has no ${req.method} ${req.path}`;
    throw new Refusal(404, { type: 'invalid_request_error', message });
  });
  app.use((error: Error, _req: Request, res: Response, next: NextFunction) => {
    if (res.headersSent) next(error);
    else sendError(error, res);
  });
  return app;
}
