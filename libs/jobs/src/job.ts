import { isIdText, parseId, type Id } from '@commerce/records';

/**
 * A kind of job, declared once beside its owner. Its data holds ids only: the database is the truth, and a job only
 * says that there is something to do, so that losing one costs no more than the time until the next sweep.
 */
export interface Job<Data extends object = object> {
  /** Name of the queue; every kind of job has its own. */
  readonly queue: string;
  /** Its purpose in a few words, for operators. */
  readonly purpose: string;
  /** How many of them one worker runs at a time. */
  readonly concurrency: number;
  /** The fields of its data: `id`, or how many ids a list holds at most. */
  readonly fields: { readonly [Field in keyof Data]: Data[Field] extends Id ? 'id' : number };
}

const declared = new Map<string, Job>();

/** Declares a kind of job, among those of the process. Two of one name stop the start. */
export function declareJob<Data extends object>(job: Job<Data>, among = declared): Job<Data> {
  if (!/^[a-z-]+$/.test(job.queue)) throw new Error(`queue names are lower-case words: ${job.queue}`);
  if (among.has(job.queue)) throw new Error(`the job ${job.queue} is declared twice`);
  among.set(job.queue, job);
  return job;
}

export function declaredJobs(): readonly Job[] {
  return [...declared.values()];
}

/** The data of a job as it comes out of Redis, where anything may be; null where it is not of this kind. */
export function readJob<Data extends object>({ fields }: Job<Data>, data: unknown): Data | null {
  if (typeof data !== 'object' || data === null) return null;
  const read = Object.entries<'id' | number>(fields).map(([name, kind]) => {
    const value = (data as Record<string, unknown>)[name];
    return [name, kind === 'id' ? readId(value) : readIds(value, kind)] as const;
  });
  return read.some(([, value]) => value === null) ? null : (Object.fromEntries(read) as Data);
}

function readId(value: unknown): Id | null {
  return isIdText(value) ? parseId(value) : null;
}

function readIds(value: unknown, most: number): Id[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > most) return null;
  const ids = value.map(readId).filter((id) => id !== null);
  return ids.length === value.length ? ids : null;
}
