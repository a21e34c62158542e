import { Injectable } from '@nestjs/common';
import { RecordStore } from '@commerce/data';
import { InjectRecord, type RecordModel } from '@commerce/records';

import { UserRecord } from './user.record.js';

@Injectable()
export class UserStore extends RecordStore<UserRecord> {
  constructor(@InjectRecord(UserRecord) model: RecordModel) {
    super(model, UserRecord);
  }
}
