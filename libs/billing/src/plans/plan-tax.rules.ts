import { mustSayVat, type CompanyRecord } from '@commerce/identity';

import type { UpdatePlanBody } from './plan.dto.js';
import type { PlanRecord, PlanWarning } from './plan.record.js';

export type OwnTax = Pick<PlanRecord, 'vat' | 'tax_category'>;
type Taxed = OwnTax & { readonly items: readonly unknown[] };

/** The tax of a plan's own; with items, theirs hold, and it has none. */
export function taxFieldsOf({ items, vat, tax_category }: Partial<OwnTax> & Pick<Taxed, 'items'>): OwnTax {
  return items.length > 0
    ? { vat: null, tax_category: null }
    : { vat: vat ?? null, tax_category: tax_category ?? 'standard' };
}

/** Whether invoices of this plan wait until somebody says its VAT, 0 included. */
export function isVatUnsaid(
  settings: Pick<CompanyRecord, 'tax' | 'seller'>,
  { items, vat }: Pick<Taxed, 'items' | 'vat'>,
): boolean {
  return items.length === 0 && vat === null && mustSayVat(settings);
}

/** What an admin should know about a plan; `asked` is what a request asked for. */
export function warningsOf(
  settings: Pick<CompanyRecord, 'tax' | 'seller'>,
  plan: Taxed,
  asked: Partial<OwnTax> = {},
): PlanWarning[] {
  if (isVatUnsaid(settings, plan)) {
    return [
      {
        path: 'vat',
        kind: 'plan.vat_unsaid',
        message:
          'Nobody has said the VAT of this plan: its invoices wait for it. Update it with vat, 0 included.',
      },
    ];
  }
  if (plan.items.length === 0) return [];
  return (['vat', 'tax_category'] as const)
    .filter((path) => asked[path] != null)
    .map((path) => ({
      path,
      kind: 'plan.tax_of_items',
      message: `${path} of the plan does not count: that of its items holds`,
    }));
}

/** Whether a body says the tax of a plan. A deleted one goes on for those who are subscribed to it. */
export function namesTax({ vat, tax_category }: UpdatePlanBody): boolean {
  return vat !== undefined || tax_category !== undefined;
}
