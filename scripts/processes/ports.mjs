import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { codeOf, StartError } from '../system/errors.mjs';
import { claim } from './lock.mjs';

/** Below Linux's range for outgoing connections, which could take a port between the check and its use. */
const FIRST = 20_000;
const LAST = 32_000;
/** A lock file for each port that was handed out: the process that it is for may be seconds from listening on it. */
const CLAIMS = join(tmpdir(), `commerce-service-ports-${userInfo().uid}`);

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<string | null>} the error code, or null when the port could be bound
 */
function tryBind(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeOf(error) ?? 'EUNKNOWN'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/**
 * Tries loopback as well as every address.
 *
 * @param {number} port
 * @returns {Promise<string | null>} null when nobody listens on it, otherwise the error code that says why not
 */
async function refusal(port) {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
    const code = await tryBind(port, host);
    // A machine without IPv6 refuses the address, not the port.
    if (code && !['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) return code;
  }
  return null;
}

/** @param {number} port */
export async function isFree(port) {
  return (await refusal(port)) === null;
}

/**
 * @returns {Promise<number>} a port on which nobody listens; nobody else of this user's is given it while this process
 *   runs
 */
export async function freePort() {
  mkdirSync(CLAIMS, { recursive: true });
  for (let tries = 0; tries < 1000; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    // Never released: a lock whose holder has ended is taken over.
    if (claim(join(CLAIMS, String(port))) && (await isFree(port))) return port;
  }
  throw new StartError(`No free port between ${FIRST} and ${LAST}.`);
}

/**
 * @param {number} count
 * @returns {Promise<number[]>} different ports on which nobody listens
 */
export function freePorts(count) {
  return Promise.all(Array.from({ length: count }, freePort));
}

/**
 * Stops with the name of the variable to change when a port is not available.
 *
 * @param {Record<string, number>} wanted port by the name of its variable
 */
export async function requireFreePorts(wanted) {
  /** @type {Map<string, string>} */
  const problems = new Map();
  for (const [variable, port] of Object.entries(wanted)) {
    const twin = Object.keys(wanted).find((other) => other !== variable && wanted[other] === port);
    const code = await refusal(port);
    if (twin) problems.set(variable, `is the same as ${twin}`);
    else if (code === 'EACCES') problems.set(variable, 'needs privileges that this user does not have');
    else if (code) problems.set(variable, 'is taken by another program');
  }
  if (problems.size === 0) return;
  const lines = [...problems].map(
    ([variable, problem]) => `${variable}: port ${wanted[variable]} ${problem}.`,
  );
  const free = await freePorts(problems.size);
  const example = [...problems.keys()].map((variable, index) => `${variable}=${free[index]}`).join(' ');
  throw new StartError(`${lines.join('\n')}\nSet other ports, for example: ${example} npm start`);
}
