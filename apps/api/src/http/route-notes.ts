import type { FieldedClass } from '@commerce/records';

/** Who may call a route: the end customer or an admin, an admin, anybody with the API key, anybody at all. */
export type Access = 'user_or_admin' | 'admin' | 'api_key' | 'open';

/** A record that comes in several shapes, told apart by the value of one field. */
export interface Variants {
  readonly name: string;
  readonly by: string;
  readonly of: Readonly<Record<string, FieldedClass>>;
}

/** What a route answers with on success. */
export type Answer =
  | { readonly kind: 'record' | 'list'; readonly of: FieldedClass | Variants; readonly later?: true }
  | { readonly kind: 'file'; readonly types: readonly string[] }
  | { readonly kind: 'nothing' };

/** What a route reads from the body of a request. */
export type Body =
  | { readonly kind: 'object'; readonly of: FieldedClass }
  | { readonly kind: 'list'; readonly of: FieldedClass; readonly max: number }
  | { readonly kind: 'file'; readonly field: string; readonly description: string };

/** A record with another status than success, for callers who must do something first. */
export interface OtherAnswer {
  readonly status: number;
  readonly of: FieldedClass;
  readonly description: string;
}

/** What the decorators of one route say; the document and the interceptors read it. */
export interface RouteNotes {
  readonly access: Access;
  readonly answer: Answer;
  readonly otherAnswer: OtherAnswer;
  readonly summary: string;
  readonly description: string;
  readonly body: Body;
  readonly query: FieldedClass;
  /** Whether a card is saved or charged, so that how often a user may call it is limited. */
  readonly triesCards: boolean;
  /** Headers that it reads beside those that all routes read. */
  readonly headers: readonly string[];
  /** Codes of faults beside those that follow from its access, path, query and body. */
  readonly faults: readonly string[];
}

const NOTES = Symbol('route notes');

/** Adds to what is known of the route that a method of a controller serves. */
export function note(prototype: object, method: string | symbol, part: Partial<RouteNotes>): void {
  const handler = (prototype as Record<string | symbol, object | undefined>)[method];
  if (handler === undefined) throw new Error(`there is no method ${String(method)} to decorate`);
  Reflect.defineMetadata(NOTES, { ...notesOf(handler), ...part }, handler);
}

/** What the decorators said of the route that a method serves. */
export function notesOf(handler: object): Partial<RouteNotes> {
  return (Reflect.getMetadata(NOTES, handler) ?? {}) as Partial<RouteNotes>;
}
