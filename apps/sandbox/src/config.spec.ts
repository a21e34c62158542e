import { readConfig } from './config.js';

describe('readConfig', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3003,
      directory: '.data/sandbox',
      latencyMs: 0,
      settleAfterMs: 3_000,
      merchant: 'Sandbox merchant',
      notices: undefined,
    });
  });

  it('reads where notices go, and how they are sent again', () => {
    const { notices } = readConfig({
      SANDBOX_NOTICE_URL: 'http://127.0.0.1:3000/provider_notices/stripe',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      SANDBOX_NOTICE_RETRY_DELAYS: '500ms, 2s,1m,3h',
      SANDBOX_NOTICE_TYPES: 'payment_intent.*',
    });
    expect(notices).toMatchObject({
      retryDelays: [500, 2_000, 60_000, 10_800_000],
      types: ['payment_intent.*'],
    });
  });

  it.each([
    [{ NODE_ENV: 'production' }, 'NODE_ENV=production'],
    [{ SANDBOX_PORT: '70000' }, 'SANDBOX_PORT'],
    [{ SANDBOX_LATENCY_MS: '-1' }, 'SANDBOX_LATENCY_MS'],
    [{ SANDBOX_SETTLE_MS: '1.5' }, 'SANDBOX_SETTLE_MS'],
    [{ SANDBOX_NOTICE_URL: 'file:///x', STRIPE_WEBHOOK_SECRET: 'x' }, 'SANDBOX_NOTICE_URL'],
    [{ SANDBOX_NOTICE_URL: 'http://x/' }, 'STRIPE_WEBHOOK_SECRET'],
    [
      { SANDBOX_NOTICE_URL: 'http://x/', STRIPE_WEBHOOK_SECRET: 'x', SANDBOX_NOTICE_RETRY_DELAYS: 'soon' },
      'SANDBOX_NOTICE_RETRY_DELAYS',
    ],
  ])('refuses %j and names what is wrong', (env, named) => {
    expect(() => readConfig(env)).toThrow(named);
  });
});
