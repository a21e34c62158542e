import { Injectable } from '@nestjs/common';
import type { Id } from '@commerce/platform';

import type { ChargeOutcome } from './charge-outcome.js';
import type { PaymentRecord } from './payment.record.js';

/** The one way by which anything that the provider says reaches a payment: answer, notice, confirm or janitor. */
@Injectable()
export class Settlement {
  /**
   * Applies an outcome to one attempt of a payment; the owner follows in the same commit. Success is sticky, an
   * outcome that changes nothing writes nothing. Tried again when another writer was quicker.
   */
  async settle(
    company: Id,
    paymentId: Id,
    attemptNumber: number,
    outcome: ChargeOutcome,
  ): Promise<PaymentRecord> {
    throw new Error(`not yet ${String(company)} ${String(paymentId)} ${attemptNumber} ${outcome.kind}`);
  }
}
