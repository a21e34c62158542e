import { setImmediate } from 'node:timers/promises';

const TURN_MS = 10;

/** The time for which a computation may keep other requests waiting. */
export class EventLoopTurn {
  private asked = performance.now();
  private ends = this.asked + TURN_MS;

  /** Whether another step, as long as the last one, would take too long. */
  get isOver(): boolean {
    const now = performance.now();
    const last = now - this.asked;
    this.asked = now;
    return now + last > this.ends;
  }

  /** Lets other requests run. */
  async next(): Promise<void> {
    await setImmediate();
    this.asked = performance.now();
    this.ends = this.asked + TURN_MS;
  }
}

/** Runs a computation to its end; other requests run between its steps. */
export async function inTurns<R>(steps: Iterator<unknown, R>): Promise<R> {
  const turn = new EventLoopTurn();
  let step = steps.next();
  while (step.done !== true) {
    if (turn.isOver) await turn.next();
    step = steps.next();
  }
  return step.value;
}

/** As `values.map`; other requests run in between. */
export function mapInTurns<T, R>(values: readonly T[], map: (value: T, index: number) => R): Promise<R[]> {
  return inTurns(mapped(values, map));
}

function* mapped<T, R>(values: readonly T[], map: (value: T, index: number) => R): Generator<void, R[]> {
  const all: R[] = [];
  for (const [index, value] of values.entries()) {
    all.push(map(value, index));
    yield;
  }
  return all;
}
