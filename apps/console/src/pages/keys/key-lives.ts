import type { CommerceClient, Reply } from 'commerce-service-client';

export type Key = Reply<'/keys', 'get'>[number];

const PAGE = 100;

/** The status of a key: `rolled` while it still works beside its successor. */
export function standingOf(
  { revoked, expires, successor }: Pick<Key, 'revoked' | 'expires' | 'successor'>,
  now: number,
): 'active' | 'rolled' | 'expired' | 'revoked' {
  if (revoked !== null) return 'revoked';
  if (expires !== null && Number(expires) <= now) return 'expired';
  return successor === null ? 'active' : 'rolled';
}

export function isLive(key: Key, now: number): boolean {
  return ['active', 'rolled'].includes(standingOf(key, now));
}

/** The working keys that end with this one: those it created, those they created, and so on. */
export async function endingWith(client: CommerceClient, id: string, now: number): Promise<readonly Key[]> {
  const found: Key[] = [];
  for (let makers = [id]; makers.length > 0;) {
    const made = await Promise.all(makers.map((maker) => madeBy(client, maker)));
    const live = made.flat().filter((key) => isLive(key, now));
    found.push(...live);
    makers = live.map(({ _id }) => _id);
  }
  return found;
}

async function madeBy(client: CommerceClient, made_by: string): Promise<readonly Key[]> {
  const all: Key[] = [];
  for (let after: string | undefined; ; after = all.at(-1)?._id) {
    const query = { made_by, size: PAGE, ...(after === undefined ? {} : { after }) };
    const page = await client.get('/keys', { params: { query } });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
