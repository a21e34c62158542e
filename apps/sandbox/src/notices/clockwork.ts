import type { Change } from '../ledger/journal.js';
import type { Ledger } from '../ledger/ledger.js';
import type { AnyRecord } from '../ledger/records.js';
import { doTask } from '../resources/control/tasks.js';

/** Does the tasks when they are due; those that fell due while the sandbox was away are done at the start. */
export class Clockwork {
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly ledger: Ledger,
    private readonly now: () => number,
  ) {
    for (const record of ledger.records.values()) this.arm(record);
  }

  take(changes: readonly Change[]): void {
    for (const [table, , row] of changes) {
      if (table === 'records' && row !== null) this.arm(row as AnyRecord);
    }
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private arm(record: AnyRecord): void {
    if (record.kind !== 'task') return;
    const run = () => {
      this.timers.delete(timer);
      doTask(this.ledger, record.id, this.now());
    };
    const timer = setTimeout(run, Math.max(0, record.due - this.now()));
    this.timers.add(timer);
  }
}
