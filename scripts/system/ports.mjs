import { createServer } from 'node:net';
import { StartError } from './report.mjs';

/** Below Linux' range for outgoing connections, which could take a port between the check and its use. */
const FIRST = 20_000;
const LAST = 32_000;
/** Handed out by this process and perhaps not in use yet. */
const given = new Set();

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<string | null>} the error code, null when the port could be bound
 */
function tryBind(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code ?? 'EUNKNOWN'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/**
 * Whether nobody listens on the port, on loopback or on any address.
 *
 * @param {number} port
 * @returns {Promise<string | null>} null when it is free, else the error code that says why not
 */
async function refusal(port) {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
    const code = await tryBind(port, host);
    // A machine without IPv6 refuses the address, not the port.
    if (code && !['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) return code;
  }
  return null;
}

export async function isFree(port) {
  return (await refusal(port)) === null;
}

/**
 * @param {number} count
 * @returns {Promise<number[]>} different ports on which nobody listens
 */
export async function freePorts(count) {
  const found = new Set();
  for (let tries = 0; found.size < count; tries += 1) {
    if (tries > 1000) throw new StartError(`No ${count} free ports between ${FIRST} and ${LAST}.`);
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

/**
 * Stops with the name of the variable to change when a port cannot be had.
 *
 * @param {Record<string, number>} wanted variable name -> port
 */
export async function requireFreePorts(wanted) {
  const problems = new Map();
  for (const [variable, port] of Object.entries(wanted)) {
    const twin = Object.keys(wanted).find((other) => other !== variable && wanted[other] === port);
    const code = await refusal(port);
    if (twin) problems.set(variable, `is the same as ${twin}`);
    else if (code === 'EACCES') problems.set(variable, 'needs rights that this user lacks');
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
