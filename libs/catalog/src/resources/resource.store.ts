import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, type RecordModel } from '@commerce/platform';

import { ResourceRecord } from './resource.record.js';

@Injectable()
export class ResourceStore extends RecordStore<ResourceRecord> {
  constructor(@InjectRecord(ResourceRecord) model: RecordModel) {
    super(model, ResourceRecord);
  }
}
