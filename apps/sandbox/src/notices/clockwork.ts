import type { Entry } from '../ledger/entry.js';
import type { Ledger } from '../ledger/ledger.js';
import type { TaskRecord } from '../ledger/records.js';
import { doTask } from '../resources/tasks.js';

/** Does what happens by itself, when it is due; what fell due while the sandbox was away is done at the start. */
export class Clockwork {
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly ledger: Ledger,
    private readonly now: () => number,
  ) {
    for (const record of ledger.all()) if (record.kind === 'task') this.arm(record);
  }

  /** Takes the tasks of a commit. */
  take(entry: Entry): void {
    for (const record of entry.put) if (record.kind === 'task' && !record.done) this.arm(record);
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private arm(task: TaskRecord): void {
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        doTask(this.ledger, task.id, this.now());
      },
      Math.max(0, task.due - this.now()),
    );
    this.timers.add(timer);
  }
}
