import { once } from 'node:events';
import { Agent, request } from 'node:http';

import { eventually } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';

/** Clients with keep-alive connections that send the next request as soon as they receive a reply. */
const CLIENTS = 8;

/** The replies that each has before the end. */
const ANSWERS = 5;

let service: ServiceProcesses;
beforeEach(async () => {
  service = await ServiceProcesses.start();
}, 90_000);
afterEach(() => service.stop());

interface Answer {
  readonly status: number;
  /** True when the reply announces that it is the last one on its connection. */
  readonly last: boolean;
}

interface Failure {
  readonly failure: string;
  /** True when the request used an existing connection. */
  readonly kept: boolean;
}

type Outcome = Answer | Failure;

function ask(agent: Agent): Promise<Outcome> {
  const { headers } = service.admin;
  return new Promise((resolve) => {
    const asked = request(
      `http://127.0.0.1:${service.env['PORT']}/products`,
      { agent, headers },
      (answer) => {
        answer.resume();
        answer.on('error', () => resolve({ failure: 'cut off', kept: true }));
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, last: answer.headers.connection === 'close' });
        });
      },
    );
    asked.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ failure: error.code ?? error.message, kept: asked.reusedSocket }),
    );
    asked.end();
  });
}

/** Sends requests until the first failure. */
async function askOnAndOn(outcomes: Outcome[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  do outcomes.push(await ask(agent));
  while (!('failure' in outcomes.at(-1)!));
  agent.destroy();
}

describe('An API that is asked to end', () => {
  it('replies to the requests in progress, and ends although its clients send more', async () => {
    const api = service.children.get('api')!;
    const clients = Array.from({ length: CLIENTS }, (): Outcome[] => []);
    const all = Promise.all(clients.map(askOnAndOn));
    await eventually(() => clients.every(({ length }) => length > ANSWERS));
    const began = performance.now();
    api.kill('SIGTERM');
    const [code] = (await once(api, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(performance.now() - began).toBeLessThan(5000);
    await all;
    for (const outcomes of clients) {
      // A new connection is refused, or comes just too late.
      expect(outcomes.at(-1)).toEqual({ failure: expect.stringMatching(/^ECONNRE/), kept: false });
      const answered = outcomes.slice(0, -1) as Answer[];
      expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200]));
      // Each client learns of the end before its next request, and opens new connections only until they are refused.
      const told = answered.findIndex(({ last }) => last);
      expect(told).toBeGreaterThan(ANSWERS);
      expect(answered.slice(told).every(({ last }) => last)).toBe(true);
    }
  }, 60_000);
});
