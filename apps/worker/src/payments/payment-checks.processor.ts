import { Janitor, PAYMENT_CHECKS } from '@commerce/payments';
import { Handles, JobHandler, idOf } from '@commerce/platform';

/** Looks at payments that the sweep found due. */
@Handles(PAYMENT_CHECKS)
export class PaymentChecksProcessor extends JobHandler<{ ids: string[] }> {
  constructor(private readonly janitor: Janitor) {
    super(PAYMENT_CHECKS);
  }

  override async run({ ids }: { ids: string[] }): Promise<void> {
    for (const text of ids) {
      const id = idOf(text);
      if (id !== null) await this.janitor.check(id);
    }
  }
}
