import { Injectable } from '@nestjs/common';
import { RecordStore, type Caller } from '@commerce/data';
import { InjectRecord, type Id, type RecordModel } from '@commerce/records';

import { PlanRecord } from './plan.record.js';

@Injectable()
export class PlanStore extends RecordStore<PlanRecord> {
  constructor(@InjectRecord(PlanRecord) model: RecordModel) {
    super(model, PlanRecord);
  }

  /**
   * The plan that a request names: of a user, an offered one.
   * @throws Fault `plan.unknown` naming the field, also for a deleted one
   */
  async named({ company, role }: Pick<Caller, 'company' | 'role'>, plan: Id): Promise<PlanRecord> {
    return this.in(company).referred(plan, 'plan', ({ offered }) => role === 'admin' || offered);
  }

  /** Whether a plan that is not deleted holds this product. */
  async hold(company: Id, product: Id): Promise<boolean> {
    const found = await Promise.all(
      ['items.product', 'items.sub_products'].map((field) =>
        this.model.findOne({ [field]: product, company, deleted: false }, { _id: 1 }).lean(),
      ),
    );
    return found.some((one) => one !== null);
  }
}
