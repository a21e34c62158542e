import { Reconciler, PAYMENT_CHECKS } from '@commerce/payments';
import { Handles, JobHandler, parseId } from '@commerce/platform';

/** Looks at payments that the sweep found due. */
@Handles(PAYMENT_CHECKS)
export class PaymentChecksProcessor extends JobHandler<{ ids: string[] }> {
  constructor(private readonly janitor: Reconciler) {
    super(PAYMENT_CHECKS);
  }

  override async run({ ids }: { ids: string[] }): Promise<void> {
    for (const text of ids) {
      const id = parseId(text);
      if (id !== null) await this.janitor.check(id);
    }
  }
}
