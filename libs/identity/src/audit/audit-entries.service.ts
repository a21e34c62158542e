import { Injectable } from '@nestjs/common';
import { type Caller, type Page } from '@commerce/data';
import { pageOf } from '@commerce/records';

import type { ListAuditEntriesQuery } from './audit-entries.dto.js';
import type { AuditEntryRecord } from './audit-entry.record.js';
import { AuditEntryStore } from './audit-entry.store.js';

/** The changes made by admins, the operator and users. The audit log is read-only. */
@Injectable()
export class AuditEntries {
  constructor(private readonly store: AuditEntryStore) {}

  async list(caller: Caller, query: ListAuditEntriesQuery): Promise<Page<AuditEntryRecord>> {
    const { record, credential, kind, actor } = query;
    const asked = Object.entries({ record, credential, kind, actor }).filter(([, value]) => value !== null);
    return this.store.for(caller).page(pageOf(query, Object.fromEntries(asked)));
  }
}
