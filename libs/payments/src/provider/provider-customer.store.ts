import { Injectable } from '@nestjs/common';
import { RecordStore } from '@commerce/data';
import { InjectRecord, type RecordModel } from '@commerce/records';

import { ProviderCustomerRecord } from './provider-customer.record.js';

@Injectable()
export class ProviderCustomerStore extends RecordStore<ProviderCustomerRecord> {
  constructor(@InjectRecord(ProviderCustomerRecord) model: RecordModel) {
    super(model, ProviderCustomerRecord);
  }
}
