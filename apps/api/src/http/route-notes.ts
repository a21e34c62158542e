import { DECORATORS } from '@nestjs/swagger';
import type { CustomerRight } from '@commerce/identity';
import type { FieldedClass } from '@commerce/records';

/** The callers that a route admits: end customers and admins, admins, any holder of the API key, or everybody. */
export type Access = 'user_or_admin' | 'admin' | 'api_key' | 'open';

/** A record of several shapes, distinguished by the value of one field. */
export interface Variants {
  readonly name: string;
  readonly by: string;
  readonly of: Readonly<Record<string, FieldedClass>>;
}

/** The body of a route's successful reply. */
export type Answer =
  | { readonly kind: 'record' | 'list'; readonly of: FieldedClass | Variants; readonly later?: true }
  | { readonly kind: 'file'; readonly types: readonly string[]; readonly ranges: boolean }
  | { readonly kind: 'nothing' };

/** The body that a route reads. */
export type Body =
  | { readonly kind: 'object'; readonly of: FieldedClass }
  | { readonly kind: 'list'; readonly of: FieldedClass; readonly max: number }
  | { readonly kind: 'file'; readonly field: string; readonly description: string };

/** A record with an error status, for callers who must do something first. */
export interface OtherAnswer {
  readonly status: number;
  readonly of: FieldedClass;
  readonly description: string;
}

/** What a user's call needs of the company's `customers`; only where the body has one of the fields, if any are named. */
export interface Asks {
  readonly right: CustomerRight;
  readonly fields: readonly string[];
}

/** The declarations of a route's decorators, for the API document and the interceptors. */
export interface RouteNotes {
  readonly access: Access;
  readonly answer: Answer;
  readonly otherAnswer: OtherAnswer;
  readonly body: Body;
  readonly query: FieldedClass;
  /** True when the route saves or charges a card, which limits a user's calls. */
  readonly triesCards: boolean;
  readonly asks: readonly Asks[];
  /** True for a POST that writes no record, which ignores an Idempotency-Key. */
  readonly writesNothing: boolean;
  /** True where a user pays or ends something, whatever its requests have left in the logs. */
  readonly beyondQuota: boolean;
  /** True where the body may name a coupon, whose code a user could guess. */
  readonly takesCoupon: boolean;
  /** Headers that only this route reads. */
  readonly headers: readonly string[];
  /** Fault codes beyond those that follow from its access, path, query and body. */
  readonly faults: readonly string[];
}

/** Whether a user's request leaves events or audit entries, without which the user can do. */
export function fillsLogs(method: string, notes: Partial<RouteNotes>): boolean {
  if (notes.writesNothing === true || notes.beyondQuota === true) return false;
  return method.toUpperCase() !== 'GET' && notes.access === 'user_or_admin';
}

/** The extension of the scanned operation that carries the declarations. */
export const NOTES = 'x-notes';

/** Adds to the declarations of the route that a controller method serves. */
export function note(prototype: object, method: string | symbol, part: Partial<RouteNotes>): void {
  const handler = (prototype as Record<string | symbol, object | undefined>)[method];
  if (handler === undefined) throw new Error(`there is no method ${String(method)} to decorate`);
  Reflect.defineMetadata(DECORATORS.API_EXTENSION, { [NOTES]: { ...notesOf(handler), ...part } }, handler);
}

/** The declarations of the route that a method serves. */
export function notesOf(handler: object): Partial<RouteNotes> {
  const extensions: unknown = Reflect.getMetadata(DECORATORS.API_EXTENSION, handler);
  return (extensions as Record<typeof NOTES, Partial<RouteNotes>> | undefined)?.[NOTES] ?? {};
}
