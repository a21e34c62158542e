import { Injectable } from '@nestjs/common';
import { RecordStore } from '@commerce/data';
import { InjectRecord, type RecordModel } from '@commerce/records';

import { AuditEntryRecord } from './audit-entry.record.js';

@Injectable()
export class AuditEntryStore extends RecordStore<AuditEntryRecord> {
  constructor(@InjectRecord(AuditEntryRecord) model: RecordModel) {
    super(model, AuditEntryRecord);
  }
}
