import { Injectable } from '@nestjs/common';
import { RecordStore } from '@commerce/data';
import { InjectRecord, type RecordModel } from '@commerce/records';

import { CreditRecord } from './credit.record.js';

@Injectable()
export class CreditStore extends RecordStore<CreditRecord> {
  constructor(@InjectRecord(CreditRecord) model: RecordModel) {
    super(model, CreditRecord);
  }
}
