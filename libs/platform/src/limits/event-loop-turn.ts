import { setImmediate } from 'node:timers/promises';

const TURN_MS = 10;

/** The time for which a computation may keep other requests waiting. */
export class EventLoopTurn {
  private ends = performance.now() + TURN_MS;

  get isOver(): boolean {
    return performance.now() > this.ends;
  }

  /** Lets other requests run. */
  async next(): Promise<void> {
    await setImmediate();
    this.ends = performance.now() + TURN_MS;
  }
}
