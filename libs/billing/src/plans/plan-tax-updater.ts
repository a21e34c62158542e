import { Injectable } from '@nestjs/common';
import { Companies, requireRateOf } from '@commerce/identity';
import { DatabaseClock } from '@commerce/data';
import { InvoiceDueStore } from '@commerce/payments';
import type { Id } from '@commerce/records';

import { namesTax, taxFieldsOf, type OwnTax } from './plan-tax.rules.js';
import type { UpdatePlanBody } from './plan.dto.js';
import type { PlanRecord } from './plan.record.js';

/** The tax of plans without products, and the invoices that wait until it is said. */
@Injectable()
export class PlanTaxUpdater {
  constructor(
    private readonly companies: Companies,
    private readonly due: InvoiceDueStore,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * The changes of a body that names the tax of a plan.
   * @throws Fault `tax.rate_missing`
   */
  async changes(plan: PlanRecord, body: UpdatePlanBody): Promise<Partial<OwnTax>> {
    if (!namesTax(body)) return {};
    requireRateOf(await this.companies.get(plan.company), body.tax_category);
    const { items, vat, tax_category } = plan;
    return taxFieldsOf({ vat, tax_category, ...body, items });
  }

  /** Has the invoices that could not be made tried again, where a body has said the VAT of a plan. */
  async said(company: Id, body: UpdatePlanBody): Promise<void> {
    if (namesTax(body)) await this.due.retryFailed(company, await this.clock.now());
  }
}
