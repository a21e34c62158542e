import { fieldFault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';

import type { BillingData, TaxEvidence, VatIdVerification } from '../parties/billing-data.js';
import type { UserRecord } from './user.record.js';
import type { UpdateUserBody } from './users.dto.js';

type Before = Pick<UserRecord, 'billing' | 'billing_unconfirmed'>;
type Changes = Partial<Before & Pick<UserRecord, 'vat_check_due' | 'vat_check_tries'>>;

/**
 * The billing data that a request leads to, and what of it nobody has confirmed: that is what a user changes, until an
 * admin gives another value or confirms it. A user confirms nothing, but keeps the confirmations of what stays.
 * @param now when VIES may first be asked about a VAT id that the user gave
 * @throws Fault `user.field_reserved`
 */
export function billingBy(
  role: Caller['role'],
  before: Before,
  { billing }: Pick<UpdateUserBody, 'billing'>,
  now: Date,
): Changes {
  if (billing === undefined) return {};
  const same = {
    country: countryOf(billing) === countryOf(before.billing),
    vat_id: (billing?.vat_id ?? null) === (before.billing?.vat_id ?? null),
  };
  const unconfirmed = (field: TaxEvidence): boolean => {
    if (same[field]) return before.billing_unconfirmed.includes(field);
    // Without a VAT id there is none to confirm; without a country one of the seller is assumed.
    return role !== 'admin' && (field === 'country' || billing?.vat_id != null);
  };
  const kept = role === 'admin' || billing === null ? billing : keptByUser(billing, before.billing, same);
  const isConfirmed = { country: kept?.country_confirmed === true, vat_id: kept?.vat_id_verified != null };
  const billing_unconfirmed = (['country', 'vat_id'] as const).filter(
    (field) => unconfirmed(field) && !isConfirmed[field],
  );
  const changes = { billing: kept, billing_unconfirmed };
  if (same.vat_id && billing_unconfirmed.includes('vat_id')) return changes;
  const vat_check_due = billing_unconfirmed.includes('vat_id') ? now : null;
  return { ...changes, vat_check_due, vat_check_tries: 0 };
}

/** The data that a user gives, with the confirmations of what stays. */
function keptByUser(
  billing: BillingData,
  before: BillingData | null,
  same: Readonly<Record<TaxEvidence, boolean>>,
): BillingData {
  const { vat_id_verified: verified, country_confirmed: confirmed } = billing;
  if (verified != null && !isSameVerification(verified, before)) throw reserved('billing.vat_id_verified');
  if (confirmed && before?.country_confirmed !== true) throw reserved('billing.country_confirmed');
  return {
    ...billing,
    vat_id_verified: same.vat_id ? (before?.vat_id_verified ?? null) : null,
    country_confirmed: same.country && before?.country_confirmed === true,
  };
}

function countryOf(billing: BillingData | null): string | null {
  return billing?.address?.country ?? null;
}

function isSameVerification(given: VatIdVerification, before: BillingData | null): boolean {
  const kept = before?.vat_id_verified ?? null;
  return kept?.reference === given.reference && kept.at.getTime() === given.at.getTime();
}

function reserved(path: string): Error {
  return fieldFault(path, `${path} may be changed by service accounts only`, 'user.field_reserved');
}
