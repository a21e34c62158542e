import { HttpCode } from '@nestjs/common';
import type { FieldedClass } from '@commerce/records';

import { note, type RouteNotes, type Variants } from './route-notes.js';

/** What a route answers with: a record, or in brackets a list of them. */
export function Answers(what: FieldedClass | Variants | readonly [FieldedClass | Variants]): MethodDecorator {
  const answer = isList(what)
    ? ({ kind: 'list', of: what[0] } as const)
    : ({ kind: 'record', of: what } as const);
  return noting({ answer });
}

/** The route answers with 202 and a record of what a worker will do. */
export function AnswersLater(of: FieldedClass): MethodDecorator {
  return (target, key, descriptor) => {
    HttpCode(202)(target, key, descriptor);
    note(target, key, { answer: { kind: 'record', of, later: true } });
  };
}

/** The route answers with 204 and no body. */
export function AnswersNothing(): MethodDecorator {
  return (target, key, descriptor) => {
    HttpCode(204)(target, key, descriptor);
    note(target, key, { answer: { kind: 'nothing' } });
  };
}

/** The route answers with the bytes of a file, in whole or in part. */
export function AnswersFile(...types: readonly string[]): MethodDecorator {
  return noting({ answer: { kind: 'file', types } });
}

/** The route may also answer with a record and another status than success. */
export function AnswersAlso(status: number, of: FieldedClass, description: string): MethodDecorator {
  return noting({ otherAnswer: { status, of, description } });
}

/** A record that comes in several shapes, told apart by the value of the field `by`. */
export function variants(name: string, by: string, of: Variants['of']): Variants {
  return { name, by, of };
}

/** What a route is for: its name in lists of routes, and what callers should know. */
export function Describe(summary: string, description: string): MethodDecorator {
  return noting({ summary, description });
}

/** Codes of faults that are this route's own; those that many routes share are documented by themselves. */
export function Faults(...faults: readonly string[]): MethodDecorator {
  return noting({ faults });
}

/** Headers that the route reads beside those that all routes read. */
export function Reads(...headers: readonly string[]): MethodDecorator {
  return noting({ headers });
}

/** The route reads one file from a multipart body. */
export function ReadsFile(field: string, description: string): MethodDecorator {
  return noting({ body: { kind: 'file', field, description } });
}

/** The route saves or charges a card: an end customer may call such routes only a few times in an hour. */
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
