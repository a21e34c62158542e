import { spawnSync } from 'node:child_process';
import { mainOf } from '@commerce/stack';

/** An operator who starts a process with wrong settings sees only the wrong settings. */
describe.each([
  ['api', 'The API'],
  ['worker', 'The worker'],
] as const)('%s', (app, name) => {
  it('names every wrong setting together, without a stack trace', () => {
    const env = { PATH: process.env['PATH'], NODE_ENV: 'production', SWEEP_INTERVAL_MS: 'soon' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [mainOf(app)], { env, encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    const [headline, ...settings] = stderr.trimEnd().split('\n');
    expect(headline).toBe(`${name} cannot start:`);
    expect(settings.map((line) => line.split(' ')[0])).toEqual(
      expect.arrayContaining(['MONGODB_URI', 'REDIS_URL', 'STRIPE_SECRET_KEY', 'SWEEP_INTERVAL_MS']),
    );
    expect(settings.filter((line) => !/^[A-Z_]+ /.test(line))).toEqual([]);
  });
});

const complete = {
  MONGODB_URI: 'mongodb://127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1/0',
  STRIPE_SECRET_KEY: 'sk_live_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
  SECRET_KEYS: '0a'.repeat(32),
};

describe.each(['api', 'worker'] as const)('%s', (app) => {
  it.each([
    [
      'with a live key outside production, beside which webhooks reach no inner address either',
      { WEBHOOK_ALLOW_PRIVATE: 'true' },
      ['STRIPE_SECRET_KEY must be a test key', 'WEBHOOK_ALLOW_PRIVATE must not be true beside a live key'],
    ],
    [
      'with a live key in production where webhooks would reach inner addresses',
      { NODE_ENV: 'production', WEBHOOK_ALLOW_PRIVATE: 'true' },
      ['WEBHOOK_ALLOW_PRIVATE must not be true in production'],
    ],
    [
      'in production behind https without trusted proxies',
      { NODE_ENV: 'production', PUBLIC_URL: 'https://api.example.com' },
      ['TRUST_PROXY is not set'],
    ],
  ])('is refused %s', (_, settings, refusals) => {
    const env = { PATH: process.env['PATH'], ...complete, ...settings };
    const { status, stderr } = spawnSync(process.execPath, [mainOf(app)], { env, encoding: 'utf8' });
    const [, ...reasons] = stderr.trimEnd().split('\n');
    expect([status, reasons]).toEqual([1, refusals.map((one) => expect.stringContaining(one))]);
  });
});
