export { createCommerceClient, type ClientOptions, type CommerceClient, type Reply } from './client.js';
export {
  AuthenticationRequired,
  CommerceProblem,
  CommerceUnavailable,
  type FieldProblem,
  type ProblemDocument,
} from './problem.js';
export { verifyEvent, type CommerceEvent, type EventKind, type WebhookConfirmation } from './events.js';
export type { RetryOptions } from './retry.js';
export type { components, paths } from './schema.js';
export type { Decoded } from './values.js';
export { WebhookVerificationError, verifyWebhook, type WebhookEvent } from './webhooks.js';
