import { ConfigError, readConfig } from './read-config.js';

const needed = {
  MONGODB_URI: 'mongodb://127.0.0.1:1/commerce',
  REDIS_URL: 'redis://127.0.0.1:6379/0',
  STRIPE_SECRET_KEY: 'sk_test_x',
};

describe('the settings of Redis', () => {
  const two = 'redis://:pa,ss@a:1,redis://:pa,ss@b:2';

  it.each([
    [{}, { mode: 'single', addresses: [needed.REDIS_URL], sentinelMaster: null }],
    [{ REDIS_URL: 'redis://:pa,ss@a:1' }, { addresses: ['redis://:pa,ss@a:1'] }],
    [
      { REDIS_URL: two.replace(',redis', ' , redis'), REDIS_MODE: 'cluster' },
      { mode: 'cluster', addresses: ['redis://:pa,ss@a:1', 'redis://:pa,ss@b:2'] },
    ],
    [
      { REDIS_URL: 'rediss://a,rediss://b/0', REDIS_MODE: 'sentinel', REDIS_SENTINEL_MASTER: 'shop' },
      { mode: 'sentinel', addresses: ['rediss://a', 'rediss://b/0'], sentinelMaster: 'shop' },
    ],
  ])('are read from %j', (settings, expected) => {
    expect(readConfig({ ...needed, ...settings }).redis).toMatchObject(expected);
  });

  it.each([
    [{ REDIS_URL: two }, 'REDIS_URL must be one address unless REDIS_MODE is sentinel or cluster'],
    [{ REDIS_URL: 'redis://:secret@a b' }, 'REDIS_URL must be an address such as redis://host:6379'],
    [{ REDIS_URL: 'redis://:secret@a:1,b:2', REDIS_MODE: 'cluster' }, 'REDIS_URL must be an address such as'],
    [
      { REDIS_URL: 'redis://:secret@a,redis://b', REDIS_MODE: 'cluster' },
      'REDIS_URL must have the same scheme, user, password and database in all addresses',
    ],
    [
      { REDIS_URL: 'redis://a/1', REDIS_MODE: 'cluster' },
      'REDIS_URL must not name a database other than 0 where REDIS_MODE is cluster',
    ],
    [{ REDIS_MODE: 'sentinel' }, 'REDIS_SENTINEL_MASTER is not set'],
    [{ REDIS_SENTINEL_MASTER: 'shop' }, 'REDIS_SENTINEL_MASTER must not be set unless'],
    [{ REDIS_MODE: 'ring' }, 'REDIS_MODE must be one of single, sentinel, cluster, not "ring"'],
  ])('are refused where they do not fit: %j', (settings, problem) => {
    const read = (): unknown => readConfig({ ...needed, ...settings });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(problem);
    expect(read).not.toThrow(/secret|\n/);
  });
});
