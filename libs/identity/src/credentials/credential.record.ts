import { Choice, Instant, OwnedRecord, RecordOf, Ref, Text, Written, type Id } from '@commerce/records';

import type { Mode } from '../companies/company.record.js';

export const CREDENTIAL_KINDS = ['api', 'service'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** An API key or a service key, without its secret: only the SHA-256 of the secret is kept. */
@RecordOf({
  collection: 'credentials',
  noun: 'key',
  cls: 'Credential',
  touched: 'updated',
  list: { sorts: ['created'], by: { kind: ['created'], made_by: ['created'] } },
  indexes: [{ fields: { company: 1, revoked: 1 } }],
})
export class CredentialRecord extends OwnedRecord {
  @Choice(CREDENTIAL_KINDS, {
    fold: 'lower',
    description: '`api`: names the company, `pk_…`; `service`: calls as an Admin, `sk_…`',
  })
  kind: CredentialKind;

  @Choice(['test', 'live'], { fold: 'lower', description: 'the mode of its company' })
  mode: Mode;

  /** Never stored: only the reply to the request that creates the key shows it. */
  @Written({
    description: 'the key itself, shown once, in the reply to the request that makes it; null ever after',
    schema: { type: ['string', 'null'] },
  })
  key: string | null;

  @Text({ hidden: true })
  secret_hash: string;

  @Ref('key', {
    optional: true,
    description:
      'the service key that made it, and with which it ends; null for a key made at the command line',
  })
  made_by: Id | null;

  @Ref('key', { optional: true, description: 'the key that took its place when it was rolled' })
  successor: Id | null;

  @Instant({ optional: true, description: 'when it was last used, to the minute' })
  last_used: Date | null;

  @Instant({ optional: true, description: 'when it stops working; null: never' })
  expires: Date | null;

  @Instant({ optional: true, description: 'when it was revoked' })
  revoked: Date | null;

  @Instant({ last: true })
  updated: Date;
}
