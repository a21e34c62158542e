import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, hydrate, type Id, type RecordModel } from '@commerce/platform';

import { CredentialRecord } from './credential.record.js';

@Injectable()
export class CredentialStore extends RecordStore<CredentialRecord> {
  constructor(@InjectRecord(CredentialRecord) model: RecordModel) {
    super(model, CredentialRecord);
  }

  /** Not by company: the credential is what identifies the company of a request. */
  async byId(id: Id): Promise<CredentialRecord | null> {
    const found = await this.model.findOne({ _id: id }).lean<object>();
    return found === null ? null : hydrate(CredentialRecord, found);
  }

  /** Notes the use of a key, for people's information; nobody waits for it. */
  async used(id: Id, at: Date): Promise<void> {
    await this.model.collection.updateOne({ _id: id }, { $set: { last_used: at } });
  }
}
