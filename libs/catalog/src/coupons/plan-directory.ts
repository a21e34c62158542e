import { providerMark } from '@commerce/platform';
import type { Id } from '@commerce/records';

/** The plans of a company, which are records of another lib. */
export interface PlanDirectory {
  /** The hexadecimal ids of those plans that exist and are not deleted. */
  existing(company: Id, plans: readonly Id[]): Promise<ReadonlySet<string>>;
}

/** Marks the provider that knows the plans. */
export const KnowsPlans = providerMark<PlanDirectory>();
