import { Injectable } from '@nestjs/common';
import { CustomerUsageStore, type Quota } from '@commerce/data';

import type { Check } from './check.js';
import type { Finding } from './finding.js';
import type { Walk } from './walk.js';

/** The usage of a user must be that of the records that count in its quota. */
@Injectable()
export class UsageCheck implements Check {
  constructor(private readonly quotas: CustomerUsageStore) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    const { company } = walk;
    for await (const { _id } of walk.over(this.quotas.counted(company))) {
      // Users create records meanwhile: a difference counts when the usage was the same before and after.
      const before = await this.quotas.countedFor(company, _id);
      const stored = await this.quotas.stored(company, _id);
      if (isSame(before, stored) || !isSame(before, await this.quotas.countedFor(company, _id))) continue;
      const detail = `the usage is ${text(before)}, its records are ${text(stored)}`;
      const repair = (): Promise<void> => this.quotas.correct({ _id, company, ...before }, stored);
      yield { kind: 'user.usage', id: _id.toHexString(), detail, repair };
    }
  }
}

function isSame(one: Quota, other: Quota): boolean {
  return one.records === other.records && one.bytes === other.bytes;
}

function text({ records, bytes }: Quota): string {
  return `${String(records)} records of ${String(bytes)} bytes`;
}
