import { Choice, Ref, Text, listQuery, sortsOf, type Id } from '@commerce/records';

import { ACTORS, AuditEntryRecord } from './audit-entry.record.js';

export class ListAuditEntriesQuery extends listQuery({
  sortable: sortsOf(AuditEntryRecord),
  sort: '-created',
  dates: ['created'],
}) {
  @Choice(ACTORS, {
    optional: true,
    fold: 'lower',
    description: 'changes by admins, by the operator, or by users',
  })
  actor: (typeof ACTORS)[number] | null;

  @Text({
    optional: true,
    description: 'changes made with this service key, or by this user or operator, only',
  })
  credential: string | null;

  @Text({ optional: true, max: 64, description: 'changes of records of this kind only', example: 'product' })
  kind: string | null;

  @Ref('record', { optional: true, description: 'changes of this record only' })
  record: Id | null;
}
