import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, type RecordModel } from '@commerce/platform';

import { ProviderCustomerRecord } from './provider-customer.record.js';

@Injectable()
export class ProviderCustomerStore extends RecordStore<ProviderCustomerRecord> {
  constructor(@InjectRecord(ProviderCustomerRecord) model: RecordModel) {
    super(model, ProviderCustomerRecord);
  }
}
