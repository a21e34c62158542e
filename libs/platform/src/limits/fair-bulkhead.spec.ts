import { BulkheadFullError, FairBulkhead, type WorkOwner } from './fair-bulkhead.js';

const LIMITS = { running: 1, waiting: 100, perCompany: 100, perCustomer: 100 };

/** Starts this work in order, lets it run, and gives the order in which it ran; refused work is marked. */
async function orderOf(bulkhead: FairBulkhead, owners: readonly WorkOwner[]): Promise<string[]> {
  const order: string[] = [];
  const work = owners.map(async (owner) => {
    const name = owner.company + (owner.customer ?? '');
    try {
      await bulkhead.run(owner, async () => {
        order.push(name);
        await new Promise((resolve) => setImmediate(resolve));
      });
    } catch (error) {
      if (!(error instanceof BulkheadFullError)) throw error;
      order.push(`${name} refused`);
    }
  });
  await Promise.all(work);
  return order;
}

const of = (company: string, customer: string | null = null): WorkOwner => ({ company, customer });

describe('FairBulkhead', () => {
  it('serves companies in turn, and within each its customers', async () => {
    const owners = [of('a', '1'), of('a', '1'), of('a', '1'), of('a', '2'), of('b', '1'), of('b', '1')];
    expect(await orderOf(new FairBulkhead(LIMITS), owners)).toEqual(['a1', 'a1', 'b1', 'a2', 'b1', 'a1']);
  });

  it('refuses work beyond the share of a customer, of a company, and of all', async () => {
    const bulkhead = new FairBulkhead({ running: 1, waiting: 4, perCompany: 3, perCustomer: 2 });
    const owners = [
      ...[of('a', '1'), of('a', '1'), of('a', '1'), of('a', '1')],
      ...[of('a', '2'), of('a', '3'), of('b', '1'), of('c', '1')],
    ];
    const order = await orderOf(bulkhead, owners);
    expect(order.filter((one) => one.endsWith('refused')).sort()).toEqual([
      'a1 refused',
      'a3 refused',
      'c1 refused',
    ]);
    // All of it ended, so that there is room again.
    expect(await orderOf(bulkhead, [of('c', '1'), of('c', '1')])).toEqual(['c1', 'c1']);
  });

  it('frees the place of work that fails', async () => {
    const bulkhead = new FairBulkhead(LIMITS);
    const failing = bulkhead.run(of('a'), () => Promise.reject(new Error('no')));
    const next = bulkhead.run(of('b'), () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('runs as much concurrently as it may', async () => {
    const bulkhead = new FairBulkhead({ ...LIMITS, running: 3 });
    let [now, most] = [0, 0];
    const one = async (): Promise<void> => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => bulkhead.run(of(String(n % 4)), one)));
    expect([now, most]).toEqual([0, 3]);
  });
});
