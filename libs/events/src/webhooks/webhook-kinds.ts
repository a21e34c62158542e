import { EVENT_KINDS, fieldFault, type EventKind } from '@commerce/kernel';

/** A kind of event, or `*` for all, those of later versions included. */
export type WebhookKind = EventKind | '*';

export const WEBHOOK_KINDS: readonly WebhookKind[] = ['*', ...EVENT_KINDS];

/** The kinds of a webhook as stored. */
export interface StoredKinds {
  /** The only kind; null where there are several. */
  readonly event_type: EventKind | null;
  readonly kinds: readonly WebhookKind[];
}

/** The kinds that a request names, in one field or the other. */
type NamedKinds = Partial<StoredKinds>;

export function hears({ kinds }: Pick<StoredKinds, 'kinds'>, kind: string): boolean {
  return kinds.some((one) => one === kind || one === '*');
}

/** The kind of a simulated event that names none. */
export function firstKind({ kinds }: Pick<StoredKinds, 'kinds'>): EventKind {
  const [first = '*'] = kinds;
  return first === '*' ? EVENT_KINDS[0] : first;
}

/**
 * The kinds to store for a request; undefined where it names none.
 * @throws Fault `value.invalid` where it names them in both fields
 */
export function storedKinds({ event_type = null, kinds = [] }: NamedKinds): StoredKinds | undefined {
  if (event_type !== null && kinds.length > 0) {
    throw fieldFault('kinds', 'kinds must not be given with event_type');
  }
  if (event_type !== null) return { event_type, kinds: [event_type] };
  if (kinds.length === 0) return undefined;
  const all: readonly WebhookKind[] = kinds.includes('*') ? ['*'] : [...new Set(kinds)];
  const [only] = all;
  return { event_type: all.length === 1 && only !== undefined && only !== '*' ? only : null, kinds: all };
}
