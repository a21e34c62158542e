import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { codeOf, StartError } from '#scripts/system/errors.mjs';
import { claim } from '#scripts/system/lock.mjs';

/** Below Linux's range for outgoing connections, which could take a port between the check and its use. */
const FIRST = 20_000;
const LAST = 32_000;
/** A lock file for each port that was handed out: the process that it is for may be seconds from listening on it. */
const CLAIMS = join(tmpdir(), `commerce-service-ports-${String(userInfo().uid)}`);

/** The error code, or null when the port could be bound. */
function tryBind(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeOf(error) ?? 'EUNKNOWN'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** Tries loopback and every address: null when nobody listens, otherwise the error code that says why not. */
async function refusal(port: number): Promise<string | null> {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
    const code = await tryBind(port, host);
    // A machine without IPv6 refuses the address, not the port.
    if (code !== null && !['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) return code;
  }
  return null;
}

export async function isFree(port: number): Promise<boolean> {
  return (await refusal(port)) === null;
}

/** A port on which nobody listens. No other process of this user is given it while this process runs. */
export async function freePort(): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true });
  for (let tries = 0; tries < 1000; tries += 1) {
    const port = randomInt(FIRST, LAST);
    // Never released: a lock whose holder has ended is taken over.
    if (claim(join(CLAIMS, String(port))) && (await isFree(port))) return port;
  }
  throw new StartError(`No free port between ${String(FIRST)} and ${String(LAST)}.`);
}

export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}

/** Stops with the name of the variable to change when a port is not available. */
export async function requireFreePorts(wanted: Readonly<Record<string, number>>): Promise<void> {
  const problems = new Map<string, string>();
  for (const [variable, port] of Object.entries(wanted)) {
    const twin = Object.keys(wanted).find((other) => other !== variable && wanted[other] === port);
    const code = await refusal(port);
    if (twin !== undefined) problems.set(variable, `is the same as ${twin}`);
    else if (code === 'EACCES') problems.set(variable, 'needs privileges that this user does not have');
    else if (code !== null) problems.set(variable, 'is taken by another program');
  }
  if (problems.size === 0) return;
  const lines = [...problems].map(
    ([variable, problem]) => `${variable}: port ${String(wanted[variable])} ${problem}.`,
  );
  const free = await freePorts(problems.size);
  const example = [...problems.keys()].map((variable, index) => `${variable}=${String(free[index])}`);
  throw new StartError(`${lines.join('\n')}\nSet other ports, for example: ${example.join(' ')} npm start`);
}
