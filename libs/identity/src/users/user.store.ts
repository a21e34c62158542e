import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, type RecordModel } from '@commerce/platform';

import { UserRecord } from './user.record.js';

@Injectable()
export class UserStore extends RecordStore<UserRecord> {
  constructor(@InjectRecord(UserRecord) model: RecordModel) {
    super(model, UserRecord);
  }
}
