import { T } from '../texts';
import type { KeyTexts } from '../app/session';

/** The kinds of keys by their prefixes. */
const PREFIXES = { apiKey: 'pk_', serviceKey: 'sk_' } as const;

/** The fault of each field by its name; none where the keys may be tried. */
export type KeyFaults = Partial<Record<keyof KeyTexts, string>>;

/** The keys, each in its own place: two that were pasted into each other's field are exchanged. */
export function inPlace({ apiKey, serviceKey }: KeyTexts): KeyTexts {
  const isSwapped = apiKey.startsWith(PREFIXES.serviceKey) && serviceKey.startsWith(PREFIXES.apiKey);
  return isSwapped ? { apiKey: serviceKey, serviceKey: apiKey } : { apiKey, serviceKey };
}

/** The faults of the two keys that their prefixes show. */
export function keyFaults({ apiKey, serviceKey }: KeyTexts): KeyFaults {
  const faults: KeyFaults = {};
  if (apiKey.startsWith(PREFIXES.serviceKey)) faults.apiKey = T.signIn.isServiceKey;
  if (serviceKey.startsWith(PREFIXES.apiKey)) faults.serviceKey = T.signIn.isApiKey;
  const modes = [modeOf(apiKey), modeOf(serviceKey)];
  if (Object.keys(faults).length === 0 && modes.every((mode) => mode !== null) && modes[0] !== modes[1])
    faults.serviceKey = T.signIn.otherMode;
  return faults;
}

function modeOf(key: string): string | null {
  return /^[ps]k_(test|live)_/.exec(key)?.[1] ?? null;
}
