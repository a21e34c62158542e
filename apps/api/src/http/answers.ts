import { HttpCode } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { FieldedClass } from '@commerce/records';

import { note, type RouteNotes, type Variants } from './route-notes.js';

/** A customer who is present must authenticate: the reply of routes that charge a card, beside their record. */
export const AUTHENTICATE =
  'Or, as `application/json`, the payment: the customer, who is present, must authenticate it with ' +
  '`metadata.intent_client_secret`; then confirm it.';

/** Declares the body of the route's reply: a record or, in brackets, a list of records. */
export function Answers(what: FieldedClass | Variants | readonly [FieldedClass | Variants]): MethodDecorator {
  const answer = isList(what)
    ? ({ kind: 'list', of: what[0] } as const)
    : ({ kind: 'record', of: what } as const);
  return noting({ answer });
}

/** Declares a reply of 202 with a record of the work that a worker will do. */
export function AnswersLater(of: FieldedClass): MethodDecorator {
  return (target, key, descriptor) => {
    HttpCode(202)(target, key, descriptor);
    note(target, key, { answer: { kind: 'record', of, later: true } });
  };
}

/** Declares a reply of 204 without a body. */
export function AnswersNothing(): MethodDecorator {
  return (target, key, descriptor) => {
    HttpCode(204)(target, key, descriptor);
    note(target, key, { answer: { kind: 'nothing' } });
  };
}

/** Declares a reply with the bytes of a file, in whole or in part. */
export function AnswersFile(...types: readonly string[]): MethodDecorator {
  return noting({ answer: { kind: 'file', types, ranges: true } });
}

/** Declares a reply with the bytes of a file, always in whole. */
export function AnswersWholeFile(...types: readonly string[]): MethodDecorator {
  return noting({ answer: { kind: 'file', types, ranges: false } });
}

/** Declares a second reply: a record with a status other than success. */
export function AnswersAlso(status: number, of: FieldedClass, description: string): MethodDecorator {
  return noting({ otherAnswer: { status, of, description } });
}

/** Declares a record of several shapes, distinguished by the value of the field `by`. */
export function variants(name: string, by: string, of: Variants['of']): Variants {
  return { name, by, of };
}

/** Declares the route's summary in lists of routes, and its description. */
export function Describe(summary: string, description: string): MethodDecorator {
  return ApiOperation({ summary, description });
}

/** Declares the fault codes specific to the route; shared codes are documented centrally. */
export function Faults(...faults: readonly string[]): MethodDecorator {
  return noting({ faults });
}

/** Declares the request headers that only this route reads. */
export function Reads(...headers: readonly string[]): MethodDecorator {
  return noting({ headers });
}

/** Declares that the route reads one file from a multipart body. */
export function ReadsFile(field: string, description: string): MethodDecorator {
  return noting({ body: { kind: 'file', field, description } });
}

/** Declares that the route saves or charges a card: end customers may call it only a few times an hour. */
export function TriesCards(): MethodDecorator {
  return noting({ triesCards: true });
}

function noting(part: Partial<RouteNotes>): MethodDecorator {
  return (target, key) => {
    note(target, key, part);
  };
}

function isList<T>(what: T | readonly [T]): what is readonly [T] {
  return Array.isArray(what);
}
