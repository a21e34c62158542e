import { Injectable } from '@nestjs/common';
import { PlanStore, isVatUnsaid } from '@commerce/billing';
import { Companies, mustSayVat } from '@commerce/identity';

import type { Check } from './check.js';
import type { Finding } from './finding.js';
import { OLDEST_FIRST, type Walk } from './walk.js';

/** The VAT of a plan without products must be said where it is due: its invoices wait for it. */
@Injectable()
export class PlansCheck implements Check {
  constructor(
    private readonly companies: Companies,
    private readonly plans: PlanStore,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    const settings = await this.companies.get(walk.company);
    if (!mustSayVat(settings)) return;
    const plans = this.plans.in(walk.company).stream({ deleted: false }, OLDEST_FIRST);
    for await (const plan of walk.over(plans)) {
      if (!isVatUnsaid(settings, plan)) continue;
      const detail = 'nobody has said its VAT, and its invoices wait: update it with vat, 0 included';
      yield { kind: 'plan.vat_unsaid', id: plan._id.toHexString(), detail, repair: null };
    }
  }
}
