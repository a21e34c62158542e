import { Choice, Instant, Ref, createBody, listQuery, sortsOf, type Id } from '@commerce/records';

import { CREDENTIAL_KINDS, CredentialRecord, type CredentialKind } from './credential.record.js';

export class CreateKeyBody extends createBody(CredentialRecord, ['kind', 'expires']) {
  @Instant({
    optional: true,
    description:
      'when it stops working, at the latest when the key expires that makes it, which is also the default',
  })
  override expires: Date | null;
}

export class RollKeyBody extends createBody(CredentialRecord, ['expires']) {
  @Instant({
    optional: true,
    description: 'when the rolled key stops working, within seven days; left out, at once',
  })
  override expires: Date | null;
}

export class ListKeysQuery extends listQuery({
  sortable: sortsOf(CredentialRecord),
  sort: '-created',
  dates: ['created'],
}) {
  @Choice(CREDENTIAL_KINDS, { optional: true, fold: 'lower', description: 'keys of this kind only' })
  kind: CredentialKind | null;

  @Ref('key', { optional: true, description: 'keys made by this one only' })
  made_by: Id | null;
}
