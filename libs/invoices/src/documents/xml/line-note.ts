import type { InvoiceLine, LineReason } from '../../content/invoice-content.js';

const REASONS: Readonly<Record<LineReason, string>> = {
  setup_fee: 'Setup fee',
  used: 'Used part of the period',
  unused: 'Credit for the unused part of the period',
  rest: 'Remaining part of the period',
  debt: 'Amount owed from earlier periods',
  charged_before: 'Charged before',
  not_collected: 'Not collected',
  restored: 'Restored from the records of payments',
  refund: 'Refund',
};

/** Why a line is not the plain price of what it names, in words; null where it is. */
export function noteOf({ reason, share }: Pick<InvoiceLine, 'reason' | 'share'>): string | null {
  if (reason === null) return null;
  if (share === null) return REASONS[reason];
  const { part, of, unit } = share;
  return `${REASONS[reason]} (${String(part)} of ${String(of)} ${unit}s)`;
}
