import { spawnSync } from 'node:child_process';

import { mainOf } from '#scripts/system/settings.mjs';

/** An operator who starts a process with wrong settings reads them, and nothing else. */
describe.each([
  ['api', 'The API'],
  ['worker', 'The worker'],
] as const)('%s', (app, name) => {
  it('names every wrong setting at once, without a stack trace', () => {
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
