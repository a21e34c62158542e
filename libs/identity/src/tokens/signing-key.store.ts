import { Injectable } from '@nestjs/common';
import { RecordStore } from '@commerce/data';
import { InjectRecord, hydrate, type Id, type RecordModel } from '@commerce/records';

import { SigningKeyRecord } from './signing-key.record.js';

/** The most keys that are valid at a time: they rotate slowly and overlap briefly. */
const NEWEST = 5;

@Injectable()
export class SigningKeyStore extends RecordStore<SigningKeyRecord> {
  constructor(@InjectRecord(SigningKeyRecord) model: RecordModel) {
    super(model, SigningKeyRecord);
  }

  /** The service's own keys, newest first. */
  async newest(limit = NEWEST): Promise<SigningKeyRecord[]> {
    const found = await this.model.find({}).sort({ _id: -1 }).limit(limit).lean<object[]>();
    return found.map((document) => hydrate(SigningKeyRecord, document));
  }

  /** Deletes keys for good. */
  async remove(ids: readonly Id[]): Promise<void> {
    if (ids.length > 0) await this.model.collection.deleteMany({ _id: { $in: [...ids] } });
  }
}
