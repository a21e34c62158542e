/** The kinds of events that the interface names. */
export const EVENT_KINDS = [
  'order.created',
  'order.updated',
  'order.cancelled',
  'user.created',
  'user.updated',
  'user.deleted',
  'subscription.created',
  'subscription.updated',
  'subscription.deleted',
  'subscription.activated',
  'subscription.future',
  'subscription.completed',
  'subscription.non_renewing',
  'subscription.cancelled',
  'payment.created',
  'payment.updated',
  'payment.deleted',
  'payment.succeeded',
  'payment.failed',
  'payment.processing',
  'payment.requires_auth',
  'invoice.created',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/**
 * Kinds that a webhook may have because the interface names them, but that no document offers: payments are never
 * deleted, so nothing sends them. Simulated events may have these kinds too.
 */
export const UNSENT_EVENT_KINDS: readonly EventKind[] = ['payment.deleted'];
