import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { isRecord, optionsOf } from '@commerce/records';

import { notesOf } from '../route-notes.js';

const RESUMED_BY = 'commerce:resumed_by';
const SHOWN_BY = 'commerce:shown_by';
const SHOWS_SECRET = 'commerce:shows_secret';
const IN_ONE_COMMIT = 'commerce:in_one_commit';

/** A record as a route shows it. */
type Show = (written: never) => object;

/**
 * Names the controller method that replies to a repetition when the first process died after its commit; it receives
 * the caller and the id of the committed record. Needed by routes that show more than that record.
 */
export const ResumedBy = (method: string): MethodDecorator => SetMetadata(RESUMED_BY, method);

/**
 * Names the controller method that shows the record again where its reply was not kept; it changes nothing. Without it,
 * a route shows the record as when it is resumed, or the record itself.
 */
export const ShownBy = (method: string): MethodDecorator => SetMetadata(SHOWN_BY, method);

/**
 * Declares that only this reply shows a secret, in at most 2 KiB, so that it is always kept; where there is no room for
 * it, the request is refused before its work.
 */
export const ShowsSecret = (): MethodDecorator => SetMetadata(SHOWS_SECRET, true);

/**
 * Declares that a route, or every route of a controller, does all its work in one commit and replies with the records
 * it writes, rendered by `show`. That commit then stores the Idempotency-Key and the reply, which saves database calls.
 * Not for routes that call the card provider or another service before they commit: concurrent requests would each make
 * that call.
 */
export const InOneCommit = (show: Show = (written: object) => written): ClassDecorator & MethodDecorator =>
  SetMetadata(IN_ONE_COMMIT, show);

/** Exempts a route from its controller's `InOneCommit`. */
export const InSeveralCommits = (): MethodDecorator => SetMetadata(IN_ONE_COMMIT, null);

/** The kind of record in a route's reply, and whether the reply is a list. */
export interface Subject {
  readonly collection: string | null;
  readonly isList: boolean;
}

/** The settings of a route for requests with an Idempotency-Key, from its decorators. */
export interface IdempotencyNotes {
  readonly resumedBy: string | null;
  readonly shownBy: string | null;
  readonly showsSecret: boolean;
  /** Null for a route that must reserve the key before its work. */
  readonly show: Show | null;
  readonly about: Subject;
}

/** Reads the idempotency settings of a request's route. */
export function idempotencyNotes(reflector: Reflector, context: ExecutionContext): IdempotencyNotes {
  const handler = context.getHandler();
  const of = [handler, context.getClass()];
  return {
    resumedBy: reflector.getAllAndOverride<string | undefined>(RESUMED_BY, of) ?? null,
    shownBy: reflector.getAllAndOverride<string | undefined>(SHOWN_BY, of) ?? null,
    showsSecret: reflector.getAllAndOverride<boolean | undefined>(SHOWS_SECRET, of) ?? false,
    show: reflector.getAllAndOverride<Show | null | undefined>(IN_ONE_COMMIT, of) ?? null,
    about: subjectOf(handler),
  };
}

/** The subject of a route is the kind of record in its reply. */
function subjectOf(handler: object): Subject {
  const { answer } = notesOf(handler);
  if (answer?.kind !== 'record' && answer?.kind !== 'list') return { collection: null, isList: false };
  const shapes = 'by' in answer.of ? Object.values(answer.of.of) : [answer.of];
  const type = shapes.find(isRecord);
  return {
    collection: type === undefined ? null : optionsOf(type).collection,
    isList: answer.kind === 'list',
  };
}
