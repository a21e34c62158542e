import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, type RecordModel } from '@commerce/platform';

import { PlanRecord } from './plan.record.js';

@Injectable()
export class PlanStore extends RecordStore<PlanRecord> {
  constructor(@InjectRecord(PlanRecord) model: RecordModel) {
    super(model, PlanRecord);
  }
}
