import { Integer } from '@commerce/records';

import { CreatePlanBody } from '../plans/plan.dto.js';
import { MAX_QUANTITY } from '../subscription-record/subscription-limits.js';

export class PreviewPlanBody extends CreatePlanBody {
  @Integer({ default: 1, min: 1, max: MAX_QUANTITY, description: 'quantity of the plan in the subscription' })
  quantity: number;

  @Integer({ default: 12, min: 1, max: 36, description: 'how many charges' })
  count: number;
}
