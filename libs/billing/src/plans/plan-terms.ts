import { toMinor } from '@commerce/kernel';

import type { PlanTerms } from '../domain/pricing/terms.js';
import type { PlanRecord } from './plan.record.js';

type StoredTerms = Pick<PlanRecord, Exclude<keyof PlanTerms, 'setup_fee_minor'> | 'setup_fee'>;

/** The terms of a plan as billing computes with them: amounts in minor units. */
export function planTermsOf<P extends StoredTerms>(plan: P): P & PlanTerms {
  return { ...plan, setup_fee_minor: toMinor(plan.setup_fee, plan.currency) };
}
