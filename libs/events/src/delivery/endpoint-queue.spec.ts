import { BREAK_AFTER, OPEN_MS } from './breaker.js';
import { EndpointLane, PER_ENDPOINT } from './endpoint-lane.js';

function lane(items: number): EndpointLane<number> {
  const made = new EndpointLane<number>('https://example.com');
  made.add(Array.from({ length: items }, (_, index) => index));
  return made;
}

function drain(one: EndpointLane<number>, now = 0): number[] {
  const taken: number[] = [];
  for (let next = one.next(now); next !== null; next = one.next(now)) taken.push(next);
  return taken;
}

describe('EndpointLane', () => {
  it('sends five at once, in order, and one more for each that ends', () => {
    const one = lane(20);
    expect(drain(one)).toEqual([0, 1, 2, 3, 4]);
    one.ended(true, 10, 0);
    expect(drain(one)).toEqual([5]);
    expect(one.inFlight).toBe(PER_ENDPOINT);
  });

  it('has five claimed ahead while it does not know how quick the endpoint is', () => {
    expect(lane(0).room(0)).toBe(5);
    expect(lane(2).room(0)).toBe(3);
    expect(lane(5).room(0)).toBe(0);
  });

  it('has as many claimed ahead as the endpoint takes in half a second', () => {
    const quick = lane(1);
    quick.next(0);
    quick.ended(true, 2, 0);
    expect(quick.room(0)).toBe(200);
    const slow = lane(1);
    slow.next(0);
    slow.ended(true, 100, 0);
    expect(slow.room(0)).toBe(25);
    const hanging = lane(1);
    hanging.next(0);
    hanging.ended(true, 9000, 0);
    expect(hanging.room(0)).toBe(5);
  });

  it('claims in batches: no more before half of what is claimed is gone', () => {
    const one = lane(1);
    one.next(0);
    one.ended(true, 2, 0);
    one.add(Array(150).fill(0));
    expect(one.room(0)).toBe(0);
    expect(drain(one)).toHaveLength(5);
    for (let count = 0; count < 50; count += 1) {
      one.ended(true, 2, 0);
      one.next(0);
    }
    expect(one.room(0)).toBe(100);
  });

  it('is left alone after ten failures in a row, then tried by one', () => {
    const one = lane(40);
    let opened = 0;
    for (let count = 0; count < BREAK_AFTER; count += 1) {
      one.next(0);
      if (one.ended(false, 5, 0)) opened += 1;
    }
    expect(opened).toBe(1);
    expect(drain(one)).toEqual([]);
    expect(one.room(0)).toBe(0);
    expect(one.takeBack()).toHaveLength(30);
    expect(one.room(OPEN_MS)).toBe(1);
    one.add([1, 2]);
    expect(drain(one, OPEN_MS)).toEqual([1]);
  });
});
