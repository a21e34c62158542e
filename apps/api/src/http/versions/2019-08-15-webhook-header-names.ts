import type { VersionChange } from './version-change.js';

/** The signature and type headers of deliveries were renamed; older webhooks get both names. */
export const headerNames: VersionChange = {
  date: '2019-08-15',
  what: 'X-Service-Event-Signature and X-Service-Event-Type are deprecated in favour of X-Service-Webhook-…',
};
