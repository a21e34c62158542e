import type { Finding } from '../checks/finding.js';
import type { Walk } from '../checks/walk.js';
import { KEPT_FINDINGS, type CheckupFinding, type CheckupRecord } from './checkup.record.js';

/** The results of a walk so far. */
export type Seen = Pick<CheckupRecord, 'checked' | 'total' | 'findings'>;

/** Gathers what a walk finds: all are counted, the first ones kept, so that memory does not grow with their number. */
export class CheckupReport {
  private total = 0;
  private readonly findings: CheckupFinding[] = [];

  constructor(private readonly walk: Walk) {}

  get seen(): Seen {
    return { checked: this.walk.checked, total: this.total, findings: [...this.findings] };
  }

  add({ kind, id, detail, repair }: Finding): void {
    this.total += 1;
    if (this.findings.length >= KEPT_FINDINGS) return;
    this.findings.push({ kind, id, detail, repairable: repair !== null });
  }
}
