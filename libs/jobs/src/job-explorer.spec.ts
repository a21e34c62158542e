import { Injectable, Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { DiscoveryModule, MetadataScanner, NestFactory } from '@nestjs/core';

import { newId, type Id } from '@commerce/records';

import { Handles, Sweeps } from './handles.js';
import { JobExplorer } from './job-explorer.js';
import { declareJob, readJob, type Job } from './job.js';

// Other tests of this process do not know these jobs.
const known = new Map<string, Job>();
const first = declareJob(jobNamed('first-of-spec'), known);
const second = declareJob(jobNamed('second-of-spec'), known);
const declared = [first, second];

function jobNamed(queue: string, ids = 10): Job<{ ids: readonly Id[] }> {
  return { queue, purpose: 'for this spec', concurrency: 1, fields: { ids } };
}

const ran: string[] = [];

@Injectable()
class FirstProcessor {
  private readonly name = 'first';

  @Handles(first)
  async run({ ids }: { ids: readonly Id[] }): Promise<void> {
    ran.push(`${this.name} ${ids.join()}`);
  }

  @Sweeps('first')
  async sweep(): Promise<void> {
    ran.push('swept');
  }

  async other(): Promise<void> {
    ran.push('never');
  }
}

@Injectable()
class SecondProcessor {
  @Handles(second)
  async run(): Promise<void> {
    ran.push('second');
  }
}

@Injectable()
class AnotherProcessor {
  @Handles(second)
  async run(): Promise<void> {
    ran.push('another');
  }
}

@Injectable()
class UndeclaredProcessor {
  @Handles(jobNamed('undeclared-of-spec'))
  async run(): Promise<void> {
    ran.push('undeclared');
  }
}

@Injectable()
class SameSweep {
  @Sweeps('first')
  async sweep(): Promise<void> {
    ran.push('swept, too');
  }
}

const contexts: INestApplicationContext[] = [];

async function explorer(...providers: Type[]): Promise<JobExplorer> {
  @Module({ imports: [DiscoveryModule], providers: [JobExplorer, MetadataScanner, ...providers] })
  class SpecModule {}
  const context = await NestFactory.createApplicationContext(SpecModule, { logger: false });
  contexts.push(context);
  return context.get(JobExplorer);
}

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  ran.length = 0;
});

describe('the handlers of jobs', () => {
  it('are the decorated methods, on their instances', async () => {
    const handlers = (await explorer(FirstProcessor, SecondProcessor)).handlers(declared);
    expect(handlers.map(({ job }) => job.queue).sort()).toEqual(['first-of-spec', 'second-of-spec']);
    const ids = [newId(), newId()];
    await handlers.find(({ job }) => job === first)?.run({ ids });
    expect(ran).toEqual([`first ${ids.join()}`]);
  });

  it('must be there for every declared job', async () => {
    const found = await explorer(FirstProcessor);
    expect(() => found.handlers(declared)).toThrow('the job second-of-spec has 0 handlers; it must have one');
  });

  it('must not be two for one job', async () => {
    const found = await explorer(FirstProcessor, SecondProcessor, AnotherProcessor);
    expect(() => found.handlers(declared)).toThrow('the job second-of-spec has 2 handlers; it must have one');
  });

  it('count once for an instance that has several tokens', async () => {
    @Module({
      imports: [DiscoveryModule],
      providers: [
        JobExplorer,
        MetadataScanner,
        FirstProcessor,
        SecondProcessor,
        { provide: 'alias', useExisting: SecondProcessor },
      ],
    })
    class AliasModule {}
    const context = await NestFactory.createApplicationContext(AliasModule, { logger: false });
    contexts.push(context);
    expect(context.get(JobExplorer).handlers(declared)).toHaveLength(2);
  });

  it('must be of declared jobs', async () => {
    const found = await explorer(FirstProcessor, SecondProcessor, UndeclaredProcessor);
    expect(() => found.handlers(declared)).toThrow('the job undeclared-of-spec is not declared');
  });
});

describe('the sweeps', () => {
  it('are the decorated methods, by name', async () => {
    const sweeps = (await explorer(FirstProcessor, SecondProcessor)).sweeps();
    expect(sweeps.map(({ name }) => name)).toEqual(['first']);
    await sweeps[0]?.run();
    expect(ran).toEqual(['swept']);
  });

  it('must not share a name', async () => {
    const found = await explorer(FirstProcessor, SameSweep);
    expect(() => found.sweeps()).toThrow('two sweeps are named first');
  });
});

describe('a declared job', () => {
  it('is declared once, under lower-case words', () => {
    expect(() => declareJob(jobNamed('first-of-spec'), known)).toThrow('declared twice');
    expect(() => declareJob(jobNamed('First_1'))).toThrow('lower-case words');
  });

  it('reads lists of ids and nothing else', () => {
    const job = jobNamed('lists-of-spec', 2);
    const id = '65b9a1c2d3e4f5061728394a';
    expect(readJob(job, { ids: [id, id] })?.ids.join()).toBe(`${id},${id}`);
    for (const bad of [null, 'x', {}, { ids: [] }, { ids: [id, id, id] }, { ids: ['x'] }, { ids: id }]) {
      expect(readJob(job, bad)).toBeNull();
    }
  });
});
