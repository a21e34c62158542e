import { readFileSync } from 'node:fs';

import type { Express } from 'express';

const LIBRARY = new URL('./assets/stripe.js', import.meta.url);

const ALLOWED = {
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
};

/**
 * GET /v3/ gives the stand-in of Stripe.js, under the path that the real one has. Pages of any origin may call the
 * API as browsers with that library do: what needs a secret key stays out of their reach anyway.
 */
export function clientLibrary(app: Express): void {
  const source = readFileSync(LIBRARY, 'utf8');
  app.get('/v3/', (_req, res) => void res.type('text/javascript').send(source));
  app.use('/v1', (req, res, next) => {
    res.set('Access-Control-Allow-Origin', '*');
    if (req.method !== 'OPTIONS') next();
    else res.set(ALLOWED).status(204).end();
  });
}
