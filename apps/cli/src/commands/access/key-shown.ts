import type { CredentialRecord } from '@commerce/identity';

/** A key without its secret, which only the key's holder knows. */
export function shownKey(key: CredentialRecord): Record<string, string | null> {
  const date = (value: Date | null): string | null => value?.toISOString() ?? null;
  return {
    id: key._id.toHexString(),
    company: key.company.toHexString(),
    kind: key.kind,
    mode: key.mode,
    made_by: key.made_by?.toHexString() ?? null,
    successor: key.successor?.toHexString() ?? null,
    created: date(key.created),
    last_used: date(key.last_used),
    expires: date(key.expires),
    revoked: date(key.revoked),
  };
}
