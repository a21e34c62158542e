import { Injectable } from '@nestjs/common';
import { RecordStore } from '@commerce/data';
import { InjectRecord, hydrate, type RecordModel } from '@commerce/records';

import { CompanyRecord } from './company.record.js';

@Injectable()
export class CompanyStore extends RecordStore<CompanyRecord> {
  constructor(@InjectRecord(CompanyRecord) model: RecordModel) {
    super(model, CompanyRecord);
  }

  async *all(): AsyncGenerator<CompanyRecord> {
    const cursor = this.model.find({}).sort({ _id: 1 }).lean<object>().cursor({ batchSize: 200 });
    for await (const document of cursor) yield hydrate(CompanyRecord, document);
  }
}
