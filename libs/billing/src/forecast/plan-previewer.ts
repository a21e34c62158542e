import { Injectable } from '@nestjs/common';
import { BusinessClock } from '@commerce/identity';
import type { Caller } from '@commerce/data';
import { makeRecord } from '@commerce/records';

import type { PreviewedCharge } from '../domain/ahead/lookahead.js';
import { PlanDrafter } from '../plans/plan-drafter.js';
import { PlanRecord } from '../plans/plan.record.js';
import { SubscriptionCreator } from '../subscriptions/subscription-creator.js';
import type { PreviewPlanBody } from './plan-preview.dto.js';

/** The fields of a plan that decide its charges. */
export const PREVIEWED_FIELDS = [
  'currency',
  'interval_unit',
  'interval_count',
  'billing_interval',
  'billing_interval_count',
  'total_amount',
  'prepay',
  'setup_fee',
  'trial_days',
] as const;

type PricedFields = Pick<PlanRecord, (typeof PREVIEWED_FIELDS)[number]>;

/** A plan that is not stored, and the charges of a subscription to it. */
export interface PreviewedPlan extends PricedFields {
  readonly charges: readonly PreviewedCharge[];
}

/** Previews plans before they are created. */
@Injectable()
export class PlanPreviewer {
  constructor(
    private readonly drafts: PlanDrafter,
    private readonly creator: SubscriptionCreator,
    private readonly time: BusinessClock,
  ) {}

  /** The charges of a subscription to a plan with this body that starts now. Stores nothing. */
  async preview(caller: Caller, { quantity, count, ...body }: PreviewPlanBody): Promise<PreviewedPlan> {
    const now = await this.time.now(caller.company, null);
    const plan = makeRecord(PlanRecord, await this.drafts.draft(caller, body), now);
    const charges = await this.creator.previewPlan(caller, plan, { quantity, count, now });
    const priced = Object.fromEntries(PREVIEWED_FIELDS.map((name) => [name, plan[name]]));
    return { ...(priced as PricedFields), charges };
  }
}
