import { fieldFault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';

import type { BillingData, VatIdVerification } from '../parties/billing-data.js';
import type { UserRecord } from './user.record.js';
import type { UpdateUserBody } from './users.dto.js';

/**
 * The billing data that a request leads to. A user cannot confirm a VAT id, but keeps the confirmation of one that stays.
 * @throws Fault `user.field_reserved`
 */
export function billingBy(
  role: Caller['role'],
  { billing: before }: Pick<UserRecord, 'billing'>,
  { billing }: UpdateUserBody,
): Pick<UpdateUserBody, 'billing'> {
  if (billing == null || role === 'admin') return {};
  const isSame = billing.vat_id === (before?.vat_id ?? null);
  const verified = isSame ? (before?.vat_id_verified ?? null) : null;
  const given = billing.vat_id_verified;
  if (given != null && !isSameVerification(given, before)) {
    const path = 'billing.vat_id_verified';
    throw fieldFault(path, `${path} may be changed by service accounts only`, 'user.field_reserved');
  }
  return { billing: { ...billing, vat_id_verified: verified } };
}

function isSameVerification(given: VatIdVerification, before: BillingData | null): boolean {
  const kept = before?.vat_id_verified ?? null;
  return kept?.reference === given.reference && kept.at.getTime() === given.at.getTime();
}
