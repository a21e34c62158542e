import { AUDIT_ACTIONS, AUDIT_COLLECTION, type AuditAction } from '@commerce/data';
import { Choice, OwnedRecord, RecordOf, Ref, Text, Texts, type Id } from '@commerce/records';

/** Entries are kept for 400 days: a year, and time to review it. */
const KEPT_SECONDS = 400 * 86_400;

export const ACTORS = ['admin', 'cli', 'user'] as const;

/**
 * A change by an admin, the operator or a user; of users, only changes of records that send no events. Only the unit of
 * work writes it, in the commit of the change, and it is never changed.
 */
@RecordOf({
  collection: AUDIT_COLLECTION,
  noun: 'audit_entry',
  cls: 'AuditEntry',
  touched: 'updated',
  list: {
    sorts: ['created'],
    by: { record: ['created'], credential: ['created'], kind: ['created'], actor: ['created'] },
  },
  indexes: [{ fields: { created: 1 }, options: { expireAfterSeconds: KEPT_SECONDS } }],
})
export class AuditEntryRecord extends OwnedRecord {
  @Choice(ACTORS, { fold: 'lower', description: 'who made the change: an admin, the operator, or a user' })
  actor: (typeof ACTORS)[number];

  @Text({
    description: 'the id of the service key or of the user, or the account of the operator on its machine',
    example: '65b9a1c2d3e4f50617283941',
  })
  credential: string;

  @Text({ description: 'the route or the command', example: 'PUT /products/:id' })
  request: string;

  @Text({ optional: true, description: "the X-Request-Id of the request's reply" })
  request_id: string | null;

  @Text({ optional: true, description: 'the X-Request-Id that the caller sent' })
  caller_request_id: string | null;

  @Choice(AUDIT_ACTIONS, { fold: 'lower', description: 'what was done' })
  action: AuditAction;

  @Text({ description: 'the kind of record', example: 'product' })
  kind: string;

  @Ref('record')
  record: Id;

  @Texts({ max: 200, description: 'the names of the fields that changed; empty for a new record' })
  fields: string[];
}
