import { newId, type Id } from '@commerce/records';

import { KeyedMutex } from './keyed-mutex.js';

/** Work that ends on request, and logs when it began and ended. */
class Work {
  readonly log: string[] = [];
  private readonly ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  private readonly names = new Map<string, string>();

  name(id: Id, name: string): Id {
    this.names.set(id.toHexString(), name);
    return id;
  }

  doneBy(job: string): (free: readonly Id[]) => (id: Id) => Promise<string> {
    return (free) => {
      this.log.push(`${job} reads ${free.map((id) => this.nameOf(id)).join()}`);
      return async (id) => {
        const what = `${job}:${this.nameOf(id)}`;
        this.log.push(`${what} begins`);
        await new Promise<void>((resolve, reject) => this.ends.set(what, { resolve, reject }));
        return what;
      };
    };
  }

  async end(what: string, error?: Error): Promise<void> {
    const end = this.ends.get(what);
    if (error === undefined) end?.resolve();
    else end?.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  }

  private nameOf(id: Id): string {
    return this.names.get(id.toHexString()) ?? '?';
  }
}

describe('subscriptions in flight', () => {
  let work: Work;
  let mutex: KeyedMutex;
  let [a, b, c]: Id[] = [];
  beforeEach(() => {
    work = new Work();
    mutex = new KeyedMutex();
    [a, b, c] = ['a', 'b', 'c'].map((name) => work.name(newId(), name));
  });

  it('are worked on by one job at a time, and read again by the next', async () => {
    const first = mutex.each([a!, b!], work.doneBy('one'));
    const second = mutex.each([b!, c!], work.doneBy('two'));
    const begun = ['one reads a,b', 'one:a begins', 'one:b begins', 'two reads c', 'two:c begins'];
    expect(work.log).toEqual(begun);
    await work.end('two:c');
    expect(work.log).toEqual(begun);
    await work.end('one:b');
    // A job that has ended one of its subscriptions holds only the others.
    expect(work.log).toEqual([...begun, 'two reads b', 'two:b begins']);
    await work.end('one:a');
    await work.end('two:b');
    expect(await first).toEqual(['one:a', 'one:b']);
    expect(await second).toEqual(['two:c', 'two:b']);
  });

  it('are released when their work fails', async () => {
    const failing = mutex.each([a!], work.doneBy('one'));
    const next = mutex.each([a!], work.doneBy('two'));
    const failure = expect(failing).rejects.toThrow('no database');
    await work.end('one:a', new Error('no database'));
    await failure;
    await work.end('two:a');
    expect(await next).toEqual(['two:a']);
  });

  it('count once where a job names them twice; none cost nothing', async () => {
    const twice = mutex.each([a!, a!], work.doneBy('one'));
    await work.end('one:a');
    expect(await twice).toEqual(['one:a']);
    expect(await mutex.each([], work.doneBy('two'))).toEqual([]);
    expect(work.log).toEqual(['one reads a', 'one:a begins']);
  });
});
