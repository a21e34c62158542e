import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, hydrate, type RecordModel } from '@commerce/platform';

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
