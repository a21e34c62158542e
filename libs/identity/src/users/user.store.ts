import { Injectable } from '@nestjs/common';
import { RecordStore, dueBy } from '@commerce/data';
import { InjectRecord, type Id, type RecordModel } from '@commerce/records';

import { UserRecord } from './user.record.js';

/** A user and its company. */
export interface UserKey {
  readonly _id: Id;
  readonly company: Id;
}

@Injectable()
export class UserStore extends RecordStore<UserRecord> {
  constructor(@InjectRecord(UserRecord) model: RecordModel) {
    super(model, UserRecord);
  }

  /** Users of all companies whose VAT ids VIES is to be asked about; real time. */
  async vatCheckDue(now: Date, limit: number): Promise<UserKey[]> {
    return this.model
      .find({ vat_check_due: dueBy(now) }, { company: 1 })
      .sort({ vat_check_due: 1 })
      .limit(limit)
      .lean<UserKey[]>();
  }
}
