import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

import { eventually, type Client } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';

/** More writes than any request or charge sends. */
const ENDLESS = 120;

/** The service, whose processes can be told to die at a write. */
export function startMortal(extra: Readonly<Record<string, string>> = {}): Promise<ServiceProcesses> {
  const mortal = pathToFileURL('test/faults/die-at-write.mjs').href;
  return ServiceProcesses.start({ NODE_OPTIONS: `--import ${mortal}`, ...extra });
}

/** A request during which the API died, and its repetition under the same key. */
export type Dead<T> = T & { readonly at: number; readonly repeat: () => Promise<any> };

/** Kills the API at each write of a request in turn, until one request survives. */
export async function dieEverywhere<T extends { readonly send: (by: Client) => Promise<any> }>(
  service: ServiceProcesses,
  name: string,
  prepare: () => Promise<T & { readonly by?: Client }>,
): Promise<Dead<T>[]> {
  const cases: Dead<T>[] = [];
  for (let at = 1; at <= ENDLESS; at += 1) {
    const prepared = await prepare();
    const { send, by = service.admin } = prepared;
    const keyed = by.with({ 'Idempotency-Key': `die-${name}-${String(at)}` });
    const answer = await send(keyed.with({ 'X-Die-At': String(at) })).catch(() => null);
    cases.push({ ...prepared, at, repeat: () => send(keyed) });
    await service.kill('api');
    await service.run('api');
    if (answer !== null && [200, 402].includes(answer.status)) return cases;
  }
  throw new Error('the request never comes to its end');
}

/**
 * Kills the worker at each write of an action in turn, counted from the first that names its record, until the action
 * comes to its end before the death.
 */
export async function workerDiesEverywhere<T extends { readonly id: string }>(
  service: ServiceProcesses,
  prepare: () => Promise<T>,
  action: (one: T) => Promise<unknown>,
  isOver: (one: T) => Promise<boolean>,
): Promise<T[]> {
  const cases: T[] = [];
  for (let at = 1; at <= ENDLESS; at += 1) {
    const prepared = await prepare();
    const worker = service.children.get('worker')!;
    const gone = once(worker, 'exit');
    const port = String(service.workerPorts.get('worker'));
    const headers = { 'x-die-at': String(at), 'x-die-about': prepared.id };
    await fetch(`http://127.0.0.1:${port}/health/ready`, { headers });
    await action(prepared);
    const isDead = (): boolean => worker.signalCode !== null;
    await eventually(async () => isDead() || (await isOver(prepared)), Boolean, 60_000);
    const survived = !isDead();
    if (survived) worker.kill('SIGKILL');
    await gone;
    cases.push(prepared);
    await service.run('worker');
    if (survived) return cases;
  }
  throw new Error('the action never comes to its end');
}
