import { Choice, Instant, OwnedRecord, RecordOf, Text } from '@commerce/platform';

import type { Mode } from '../companies/company.record.js';

export type CredentialKind = 'api' | 'service';

/** An API key or a service account key, without its secret: of that only the SHA-256 is kept. */
@RecordOf({
  collection: 'credentials',
  noun: 'key',
  cls: 'Credential',
  touched: 'updated',
  indexes: [{ fields: { company: 1, created: 1 } }],
})
export class CredentialRecord extends OwnedRecord {
  @Choice(['api', 'service'], { fold: 'lower' })
  kind: CredentialKind;

  @Choice(['test', 'live'], { fold: 'lower' })
  mode: Mode;

  @Text({ hidden: true })
  secret_hash: string;

  @Instant({ optional: true })
  last_used: Date | null;

  @Instant({ optional: true })
  expires: Date | null;

  @Instant({ optional: true })
  revoked: Date | null;

  @Instant({ last: true })
  updated: Date;
}
