import { BREAK_AFTER, OPEN_MS } from './circuit-breaker.js';
import { CALLS_PER_ENDPOINT, EndpointQueue } from './endpoint-queue.js';

function filled(items: number): EndpointQueue<number> {
  const made = new EndpointQueue<number>('https://example.com');
  made.add(Array.from({ length: items }, (_, index) => index));
  return made;
}

function sendable(queue: EndpointQueue<number>, now = 0): number[] {
  const taken: number[] = [];
  for (let next = queue.next(now); next !== null; next = queue.next(now)) taken.push(next);
  return taken;
}

describe('EndpointQueue', () => {
  it('sends five at once, in order, and one more for each that ends', () => {
    const queue = filled(20);
    expect(sendable(queue)).toEqual([0, 1, 2, 3, 4]);
    queue.ended(true, 10, 0);
    expect(sendable(queue)).toEqual([5]);
    expect(queue.inFlight).toBe(CALLS_PER_ENDPOINT);
  });

  it('leases five ahead while it does not know how fast the endpoint is', () => {
    expect(filled(0).room(0)).toBe(5);
    expect(filled(2).room(0)).toBe(3);
    expect(filled(5).room(0)).toBe(0);
  });

  it('leases as many ahead as the endpoint accepts in half a second', () => {
    const fast = filled(1);
    fast.next(0);
    fast.ended(true, 2, 0);
    expect(fast.room(0)).toBe(200);
    const slow = filled(1);
    slow.next(0);
    slow.ended(true, 100, 0);
    expect(slow.room(0)).toBe(25);
    const hanging = filled(1);
    hanging.next(0);
    hanging.ended(true, 9000, 0);
    expect(hanging.room(0)).toBe(5);
  });

  it('runs low when half of what is leased has been sent', () => {
    const queue = filled(1);
    queue.next(0);
    queue.ended(true, 2, 0);
    queue.add(Array(150).fill(0));
    expect(queue.room(0)).toBe(50);
    expect(queue.runsLow(0)).toBe(false);
    expect(sendable(queue)).toHaveLength(5);
    for (let count = 0; count < 50; count += 1) {
      queue.ended(true, 2, 0);
      queue.next(0);
    }
    expect(queue.runsLow(0)).toBe(true);
    expect(queue.room(0)).toBe(100);
  });

  it('runs low as soon as there is room while it does not know how fast the endpoint is', () => {
    expect(filled(4).runsLow(0)).toBe(true);
    expect(filled(5).runsLow(0)).toBe(false);
  });

  it('is left alone after ten failures in a row, then probed by one', () => {
    const queue = filled(40);
    let opened = 0;
    for (let count = 0; count < BREAK_AFTER; count += 1) {
      queue.next(0);
      if (queue.ended(false, 5, 0)) opened += 1;
    }
    expect(opened).toBe(1);
    expect(sendable(queue)).toEqual([]);
    expect(queue.room(0)).toBe(0);
    expect(queue.drain()).toHaveLength(30);
    expect(queue.room(OPEN_MS)).toBe(1);
    queue.add([1, 2]);
    expect(sendable(queue, OPEN_MS)).toEqual([1]);
  });
});
