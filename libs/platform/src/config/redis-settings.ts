import type { RedisSettings } from './config.js';

/** The variables that are about Redis. */
interface RedisVariables {
  readonly REDIS_URL: string;
  readonly REDIS_MODE: RedisSettings['mode'];
  readonly REDIS_SENTINEL_MASTER: string | null;
}

/** A comma that separates two addresses; one in a password does not. */
const SEPARATOR = /\s*,\s*(?=rediss?:\/\/)/;

/** The rules about several variables, or about the addresses in one: one line each. Passwords are never repeated. */
export function redisProblems(env: RedisVariables): string[] {
  const problems = [masterProblem(env), addressProblem(env)];
  return problems.filter((problem) => problem !== null);
}

export function redisOf(env: RedisVariables): RedisSettings {
  return {
    mode: env.REDIS_MODE,
    addresses: addressesIn(env.REDIS_URL),
    sentinelMaster: env.REDIS_SENTINEL_MASTER,
  };
}

function addressesIn(text: string): string[] {
  return text.trim().split(SEPARATOR);
}

function masterProblem({ REDIS_MODE: mode, REDIS_SENTINEL_MASTER: master }: RedisVariables): string | null {
  if (mode === 'sentinel' && master === null)
    return 'REDIS_SENTINEL_MASTER is not set: REDIS_MODE is sentinel, so name the set that the Sentinels watch';
  if (mode !== 'sentinel' && master !== null)
    return 'REDIS_SENTINEL_MASTER must not be set unless REDIS_MODE is sentinel';
  return null;
}

function addressProblem({ REDIS_MODE: mode, REDIS_URL: text }: RedisVariables): string | null {
  // Another rule refuses a text that does not begin like an address.
  if (!/^rediss?:\/\//.test(text)) return null;
  const addresses = addressesIn(text);
  if (!addresses.every((address) => URL.canParse(address)))
    return 'REDIS_URL must be an address such as redis://host:6379, or several separated by commas';
  if (mode === 'single')
    return addresses.length > 1
      ? 'REDIS_URL must be one address unless REDIS_MODE is sentinel or cluster'
      : null;
  const urls = addresses.map((address) => new URL(address));
  const common = ({ protocol, username, password, pathname }: URL): string =>
    [protocol, username, password, databaseIn(pathname)].join(' ');
  if (new Set(urls.map(common)).size > 1)
    return 'REDIS_URL must have the same scheme, user, password and database in all addresses';
  if (mode === 'cluster' && urls.some(({ pathname }) => databaseIn(pathname) !== 0))
    return 'REDIS_URL must not name a database other than 0 where REDIS_MODE is cluster';
  return null;
}

/** The number of the database in the path of an address. */
export function databaseIn(pathname: string): number {
  return Number(pathname.slice(1));
}
