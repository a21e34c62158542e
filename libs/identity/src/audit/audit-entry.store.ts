import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, type RecordModel } from '@commerce/platform';

import { AuditEntryRecord } from './audit-entry.record.js';

@Injectable()
export class AuditEntryStore extends RecordStore<AuditEntryRecord> {
  constructor(@InjectRecord(AuditEntryRecord) model: RecordModel) {
    super(model, AuditEntryRecord);
  }
}
