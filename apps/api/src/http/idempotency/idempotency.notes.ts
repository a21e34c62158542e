import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { isRecord, optionsOf } from '@commerce/records';

import { notesOf } from '../route-notes.js';

const RESUMED_BY = 'commerce:resumed_by';
const IN_ONE_COMMIT = 'commerce:in_one_commit';

/** A record as a route shows it. */
type Show = (written: never) => object;

/**
 * Names the method of the controller that answers, instead of the route, a repetition of a request whose process died
 * after the commit of the record that the route answers with. It is given the caller and the id of that record. Routes
 * that show more than the record need one; for the others the record itself is the answer.
 */
export const ResumedBy = (method: string): MethodDecorator => SetMetadata(RESUMED_BY, method);

/**
 * Says of a route, or of all routes of a controller, that they do all they do in one commit, and answer with the
 * records that it writes, as `show` shows them. That commit can then hold the Idempotency-Key with its reply, so that
 * the key costs no call of the database of its own. Not for routes that call others, such as the card provider, before
 * they commit: of requests that come at the same time each would do so.
 */
export const InOneCommit = (show: Show = (written: object) => written): ClassDecorator & MethodDecorator =>
  SetMetadata(IN_ONE_COMMIT, show);

/** Excepts a route from the `InOneCommit` of its controller. */
export const InSeveralCommits = (): MethodDecorator => SetMetadata(IN_ONE_COMMIT, null);

/** What a route answers with, and whether that is a list. */
export interface Subject {
  readonly collection: string | null;
  readonly isList: boolean;
}

/** What the decorators of a route say of its requests under an Idempotency-Key. */
export interface IdempotencyNotes {
  readonly resumedBy: string | null;
  /** Null for a route that needs the key to be claimed before its work. */
  readonly show: Show | null;
  readonly about: Subject;
}

/** What is known of the route of a request. */
export function idempotencyNotes(reflector: Reflector, context: ExecutionContext): IdempotencyNotes {
  const handler = context.getHandler();
  const of = [handler, context.getClass()];
  return {
    resumedBy: reflector.getAllAndOverride<string | undefined>(RESUMED_BY, of) ?? null,
    show: reflector.getAllAndOverride<Show | null | undefined>(IN_ONE_COMMIT, of) ?? null,
    about: subjectOf(handler),
  };
}

/** The records that a route answers with are what it is about. */
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
