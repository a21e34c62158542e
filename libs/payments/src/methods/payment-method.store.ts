import { Injectable } from '@nestjs/common';
import { CombinedReader, InjectRecord, RecordStore, type RecordModel } from '@commerce/platform';

import { PaymentMethodRecord } from './payment-method.record.js';

@Injectable()
export class PaymentMethodStore extends RecordStore<PaymentMethodRecord> {
  /** For charges of many customers abreast. */
  readonly combined = new CombinedReader(this);

  constructor(@InjectRecord(PaymentMethodRecord) model: RecordModel) {
    super(model, PaymentMethodRecord);
  }
}
