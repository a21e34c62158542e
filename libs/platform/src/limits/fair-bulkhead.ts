import { RoundRobin } from './round-robin.js';

/** The bounds of a bulkhead: how much work runs concurrently, and how much of it waits. */
export interface BulkheadLimits {
  readonly running: number;
  readonly waiting: number;
  /** Of `waiting`, the share of one company. */
  readonly perCompany: number;
  /** Of `perCompany`, the share of one of its customers; the company's own work counts as one customer's. */
  readonly perCustomer: number;
}

/** The company that work is for, and its customer, if any. */
export interface WorkOwner {
  readonly company: string;
  readonly customer?: string | null;
}

/** Thrown instead of running work for which there is no place to wait. */
export class BulkheadFullError extends Error {
  override readonly name = 'BulkheadFullError';
}

/**
 * Runs a bounded amount of work concurrently. Waiting work is served round robin, by company and then by customer, so
 * that nobody with much work keeps others waiting.
 */
export class FairBulkhead {
  /** The companies of all waiting work, in turn. */
  private readonly turns = new RoundRobin<string>();
  /** The waiting work of each company, by customer. */
  private readonly byCompany = new Map<string, RoundRobin<() => void>>();
  private running = 0;

  constructor(private readonly limits: BulkheadLimits) {}

  /** @throws BulkheadFullError */
  async run<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    if (this.running < this.limits.running) this.running += 1;
    else await this.turn(owner);
    try {
      return await work();
    } finally {
      this.handOver();
    }
  }

  private turn({ company, customer }: WorkOwner): Promise<void> {
    const own = this.byCompany.get(company) ?? new RoundRobin<() => void>();
    const { waiting, perCompany, perCustomer } = this.limits;
    const member = customer ?? '';
    if (this.turns.size >= waiting || own.size >= perCompany || own.countOf(member) >= perCustomer) {
      return Promise.reject(new BulkheadFullError('too much work is waiting'));
    }
    this.byCompany.set(company, own);
    this.turns.add(company, company);
    return new Promise((resolve) => own.add(member, resolve));
  }

  /** Hands the place of finished work to the next in turn, if any. */
  private handOver(): void {
    const company = this.turns.next();
    if (company === undefined) {
      this.running -= 1;
      return;
    }
    const own = this.byCompany.get(company);
    const resolve = own?.next();
    if (own?.size === 0) this.byCompany.delete(company);
    resolve?.();
  }
}
