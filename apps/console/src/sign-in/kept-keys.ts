import type { KeyTexts } from '../app/session';

const PLACE = 'commerce.keys';

/** The keys that this tab keeps over a reload, by the user's choice; null where it keeps none. */
export function keptKeys(): KeyTexts | null {
  const kept = read();
  if (kept === null) return null;
  const { apiKey, serviceKey } = JSON.parse(kept) as Partial<KeyTexts>;
  return typeof apiKey === 'string' && typeof serviceKey === 'string' ? { apiKey, serviceKey } : null;
}

/** Keeps these keys until the tab is closed; null forgets them. */
export function keepKeys(keys: KeyTexts | null): void {
  try {
    if (keys === null) sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, JSON.stringify(keys));
  } catch {
    // A browser that stores nothing asks for the keys again.
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(PLACE);
  } catch {
    return null;
  }
}
