import type { CompanyRecord } from '@commerce/identity';
import type { Caller } from '@commerce/data';

import type { ProductRecord } from './product.record.js';

/** The products that a caller may see beside the active ones. */
export interface ProductVisibility {
  readonly seesInactive: boolean;
  readonly seesDeleted: boolean;
}

/** An admin sees all products; all other callers the inactive ones too, unless the company hides them. */
export function visibilityFor(
  role: Caller['role'],
  { hide_inactive_products }: Pick<CompanyRecord, 'hide_inactive_products'>,
): ProductVisibility {
  const isAdmin = role === 'admin';
  return { seesInactive: isAdmin || !hide_inactive_products, seesDeleted: isAdmin };
}

export function isVisible(
  { active, deleted }: ProductRecord,
  { seesInactive, seesDeleted }: ProductVisibility,
): boolean {
  return (active || seesInactive) && (!deleted || seesDeleted);
}
