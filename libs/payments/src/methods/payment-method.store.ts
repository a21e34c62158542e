import { Injectable } from '@nestjs/common';
import { RecordStore } from '@commerce/data';
import { InjectRecord, type RecordModel } from '@commerce/records';

import { PaymentMethodRecord } from './payment-method.record.js';

@Injectable()
export class PaymentMethodStore extends RecordStore<PaymentMethodRecord> {
  constructor(@InjectRecord(PaymentMethodRecord) model: RecordModel) {
    super(model, PaymentMethodRecord);
  }
}
