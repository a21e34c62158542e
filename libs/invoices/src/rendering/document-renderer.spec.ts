import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isFault } from '@commerce/kernel';

import { SAMPLE_INVOICE } from '../content/sample-invoice.js';
import { DocumentRenderer, RENDERING_LIMITS, type RenderingLimits } from './document-renderer.js';
import type { DocumentRequest } from './document-request.js';

const OWNER = { company: 'a' };
const REQUEST: DocumentRequest = { form: 'ubl', content: SAMPLE_INVOICE, logo: null };

let folder: string;
const renderers: DocumentRenderer[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commerce-rendering-'));
});
afterEach(() => {
  for (const one of renderers.splice(0)) one.onApplicationShutdown();
  rmSync(folder, { recursive: true });
});

/** A renderer whose process runs this for each request; `count` is the number of the request. */
function rendererOf(code: string, limits: Partial<RenderingLimits> = {}): DocumentRenderer {
  const script = join(folder, 'process.mjs');
  writeFileSync(
    script,
    `let count = 0;
    const made = (text, memory = 0) => process.send({ kind: 'made', bytes: Buffer.from(text), memory });
    process.on('message', (request) => { count += 1; ${code} });
    process.once('disconnect', () => process.exit());`,
  );
  const renderer = new DocumentRenderer({ ...RENDERING_LIMITS, ...limits }, script);
  renderers.push(renderer);
  return renderer;
}

/** The text that a request gets, or the code of its fault. */
async function outcomeOf(renderer: DocumentRenderer): Promise<string> {
  try {
    return (await renderer.render(OWNER, REQUEST)).toString();
  } catch (error) {
    return isFault(error) ? error.code : (error as Error).message;
  }
}

const NAMED = 'made(process.pid + " " + count);';
const [pid, count] = [0, 1].map((part) => (text: string) => text.split(' ')[part]) as [
  (text: string) => string,
  (text: string) => string,
];

/** Waits for the end of the process that made this. */
async function gone(made: string): Promise<void> {
  while (isRunning(Number(pid(made)))) await new Promise((resolve) => setTimeout(resolve, 5));
}

function isRunning(process_id: number): boolean {
  try {
    return process.kill(process_id, 0);
  } catch {
    return false;
  }
}

describe('the rendering process', () => {
  it('is one, and makes one document after the other', async () => {
    const renderer = rendererOf(NAMED);
    const made = await Promise.all([1, 2, 3].map(() => outcomeOf(renderer)));
    expect(made.map(count)).toEqual(['1', '2', '3']);
    expect(new Set(made.map(pid)).size).toBe(1);
  });

  it('refuses documents when too many wait', async () => {
    const renderer = rendererOf('setTimeout(() => made("done"), 50);', {
      places: { ...RENDERING_LIMITS.places, waiting: 2 },
    });
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => outcomeOf(renderer)));
    expect(made).toEqual(['done', 'done', 'done', 'service.overloaded', 'service.overloaded']);
  });

  it('serves companies and their customers in turn, however many documents one of them asks for', async () => {
    const renderer = rendererOf('setTimeout(() => made("done"), 5);');
    const ended: string[] = [];
    const ask = async (company: string, customer: string): Promise<void> => {
      const outcome = await renderer.render({ company, customer }, REQUEST).then(
        () => '',
        () => ' refused',
      );
      ended.push(`${company}${customer}${outcome}`);
    };
    const flood = Array.from({ length: 60 }, () => ask('a', '1'));
    await Promise.all([...flood, ask('a', '2'), ask('b', '1')]);
    const made = ended.filter((one) => !one.endsWith('refused'));
    expect(made.slice(0, 4)).toEqual(['a1', 'a1', 'b1', 'a2']);
    expect(made).toHaveLength(1 + 5 + 2);
  });

  it('is killed when a document takes too long, also by a loop that never ends', async () => {
    const loop = 'if (request.content.number === "loop") for (;;);';
    const renderer = rendererOf(loop + NAMED, { timeoutMs: 1500 });
    const before = await outcomeOf(renderer);
    const endless = { ...REQUEST, content: { ...SAMPLE_INVOICE, number: 'loop' } };
    await expect(renderer.render(OWNER, endless)).rejects.toMatchObject({
      ...{ code: 'service.overloaded', details: { retry_after_ms: 2000 } },
    });
    await gone(before);
    const after = await outcomeOf(renderer);
    expect(count(after)).toBe('1');
  });

  it('is replaced when it has died, which fails one document', async () => {
    const renderer = rendererOf(`if (count === 2) process.kill(process.pid, 'SIGKILL'); else ${NAMED}`);
    const made = [await outcomeOf(renderer), await outcomeOf(renderer), await outcomeOf(renderer)];
    expect(made[1]).toBe('the rendering process ended (SIGKILL)');
    expect([count(made[0]!), count(made[2]!)]).toEqual(['1', '1']);
  });

  it('is replaced when it has taken much memory', async () => {
    const renderer = rendererOf('made(String(process.pid), count * 100);', { memory: 150 });
    const made = [await outcomeOf(renderer), await outcomeOf(renderer), await outcomeOf(renderer)];
    expect(made[0]).toBe(made[1]);
    expect(made[2]).not.toBe(made[1]);
  });

  it('ends when there was nothing to make for a while, and with the service', async () => {
    const idle = rendererOf(NAMED, { idleMs: 50 });
    await gone(await outcomeOf(idle));
    const stopped = rendererOf(NAMED);
    const made = await outcomeOf(stopped);
    stopped.onApplicationShutdown();
    await gone(made);
  });

  it('gets no setting of the service, and passes on why it refuses', async () => {
    const env = rendererOf('made(Object.keys(process.env).sort().join());');
    expect(await outcomeOf(env)).toBe('RAYON_NUM_THREADS');
    const refusing = rendererOf(
      `process.send({ kind: 'refused', code: 'invoice.incomplete', message: 'x', details: { missing: ['a'] } });`,
    );
    await expect(refusing.render(OWNER, REQUEST)).rejects.toMatchObject({
      ...{ code: 'invoice.incomplete', details: { missing: ['a'] } },
    });
    const failing = rendererOf(`process.send({ kind: 'failed', error: 'no font' });`);
    expect(await outcomeOf(failing)).toBe('the document could not be made: no font');
  });
});
