/** The kinds of all events that the service sends. */
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
  'payment.processing',
  'payment.requires_auth',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];
