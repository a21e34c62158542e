/**
 * A kind of job, declared once beside its owner. Its data holds ids only: the database is the truth, and a job only
 * says that there is something to do, so that losing one costs no more than the time until the next sweep.
 */
export interface Job<Data extends object = object> {
  /** Name of the queue; every kind of job has its own. */
  readonly queue: string;
  /** What it is for, in a few words, for operators. */
  readonly purpose: string;
  /** How many of them one worker runs at a time. */
  readonly concurrency: number;
  /**
   * Checks the data of a job as it comes out of Redis, where anything may be.
   * Returns null when it is not of this kind; such a job is dropped without retries.
   */
  readonly read: (data: unknown) => Data | null;
}

const declared = new Map<string, Job>();

/** Declares a kind of job. Two of one name stop the start. */
export function declareJob<Data extends object>(job: Job<Data>): Job<Data> {
  if (!/^[a-z-]+$/.test(job.queue)) throw new Error(`queue names are lower-case words: ${job.queue}`);
  if (declared.has(job.queue)) throw new Error(`the job ${job.queue} is declared twice`);
  declared.set(job.queue, job);
  return job;
}

export function declaredJobs(): readonly Job[] {
  return [...declared.values()];
}

/** Reads data of the form {ids: string[]} with at most `max` ids of 24 hexadecimal digits. */
export function readIds(max: number): (data: unknown) => { ids: string[] } | null {
  return (data) => {
    if (typeof data !== 'object' || data === null) return null;
    const ids: unknown = (data as { ids?: unknown }).ids;
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > max) return null;
    return ids.every((id) => typeof id === 'string' && /^[0-9a-f]{24}$/.test(id))
      ? { ids: ids as string[] }
      : null;
  };
}
