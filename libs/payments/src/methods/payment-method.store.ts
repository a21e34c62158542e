import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, type RecordModel } from '@commerce/platform';

import { PaymentMethodRecord } from './payment-method.record.js';

@Injectable()
export class PaymentMethodStore extends RecordStore<PaymentMethodRecord> {
  constructor(@InjectRecord(PaymentMethodRecord) model: RecordModel) {
    super(model, PaymentMethodRecord);
  }
}
