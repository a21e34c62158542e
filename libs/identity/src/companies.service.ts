import { Injectable } from '@nestjs/common';
import { fault, fieldFault, isTimezone } from '@commerce/kernel';
import {
  SystemClock,
  UnitsOfWork,
  retryOnConflict,
  parseId,
  makeRecord,
  newId,
  type Id,
} from '@commerce/platform';

import { CompanyRecord, type Mode, type ProrationMode, type TaxBehavior } from './company.record.js';
import { CompanyStore } from './company.store.js';
import { Recent } from './recent.js';

export interface CompanyInput {
  name?: string;
  timezone?: string;
  proration_mode?: ProrationMode;
  tax_behavior?: TaxBehavior;
  mode?: Mode;
}

/** Companies and their settings. */
@Injectable()
export class Companies {
  private readonly recent = new Recent((id: string) => this.read(id));

  constructor(
    private readonly store: CompanyStore,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /** The company and its settings, as they were at most five seconds ago. */
  async get(company: Id): Promise<CompanyRecord> {
    return this.recent.get(company.toHexString());
  }

  async create(input: CompanyInput & { name: string }): Promise<CompanyRecord> {
    check(input);
    const now = this.clock.now();
    const _id = newId();
    const work = this.units.begin(_id, now);
    const company = work.insert(this.store, makeRecord(CompanyRecord, { ...input, _id, company: _id }, now));
    await work.commit();
    return company;
  }

  async update(company: Id, input: CompanyInput): Promise<CompanyRecord> {
    check(input);
    return retryOnConflict(async () => {
      const before = await this.store.in(company).get(company);
      const work = this.units.begin(company, this.clock.now());
      const after = work.update(this.store, before, input);
      await work.commit();
      this.recent.forget(company.toHexString());
      return after;
    });
  }

  all(): AsyncGenerator<CompanyRecord> {
    return this.store.all();
  }

  private async read(id: string): Promise<CompanyRecord> {
    const key = parseId(id);
    if (key === null) throw fault('company.not_found', 'There is no company with this id');
    return this.store.in(key).get(key);
  }
}

function check(input: CompanyInput): void {
  if (input.name?.trim() === '') throw fieldFault('name', 'name must not be empty');
  if (input.timezone !== undefined && !isTimezone(input.timezone)) {
    throw fieldFault(
      'timezone',
      'timezone must be an IANA time zone, such as Europe/Berlin',
      'timezone.unknown',
    );
  }
}
