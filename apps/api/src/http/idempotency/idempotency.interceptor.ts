import { createHash } from 'node:crypto';

import {
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { fault, isFault } from '@commerce/kernel';
import {
  DatabaseClock,
  databaseTrouble,
  isRecord,
  optionsOf,
  withClaim,
  type Caller,
  type ClaimSubject,
  type Id,
  type RequestClaim,
} from '@commerce/platform';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';

import { IdempotencyStore, type IdempotencyRow } from './idempotency.store.js';
import { notesOf } from '../route-notes.js';
import { RenderedReply, renderedFor } from '../replies/reply.adapter.js';
import type { ServiceRequest } from '../service-request.js';
import { statusOf } from '../faults/statuses.js';

const METHODS = new Set(['POST', 'PUT', 'DELETE']);
/** Outcomes that the caller can repair; the key stays free for the repaired request. */
const NOT_STORED = new Set([401, 403, 422, 429]);
/** Refusals that say to try again. */
const TRY_AGAIN = new Set(['record.conflict', 'idempotency_key.in_flight']);

const RESUMED_BY = 'commerce:resumed_by';

/**
 * Names the method of the controller that answers, instead of the route, a repetition of a request whose process died
 * after the commit of the record that the route answers with. It is given the caller and the id of that record. Routes
 * that show more than the record need one; for the others the record itself is the answer.
 */
export const ResumedBy = (method: string): MethodDecorator => SetMetadata(RESUMED_BY, method);

type Resume = (caller: Caller, written: string) => Promise<unknown>;

/** One request under a key. */
interface Keyed {
  readonly caller: Caller;
  readonly fingerprint: string;
  readonly request: ServiceRequest;
  readonly response: Response;
  readonly next: CallHandler;
  readonly resume: Resume | null;
  /** What the route answers with, and whether that is a list. */
  readonly about: Subject;
}

interface Subject {
  readonly collection: string | null;
  readonly isList: boolean;
}

/**
 * Makes a request with an Idempotency-Key take effect once: a repetition gets the stored answer. The row is
 * claimed before the work and notes, in the work's own transaction, what was written; so when a process died in
 * between, the repetition finds the work instead of doing it again.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly clock: DatabaseClock,
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const key = request.headers['idempotency-key'];
    const { caller } = request;
    if (key === undefined || !METHODS.has(request.method) || caller === undefined) return next.handle();
    const response = http.getResponse<Response>();
    const fingerprint = fingerprintOf(request);
    const about = subjectOf(context.getHandler());
    const resume = this.resumeOf(context);
    return from(this.once(String(key), { caller, fingerprint, request, response, next, resume, about }));
  }

  private resumeOf(context: ExecutionContext): Resume | null {
    const name = this.reflector.get<string | undefined>(RESUMED_BY, context.getHandler());
    if (name === undefined) return null;
    const controller = this.modules.get<Record<string, Resume>>(context.getClass(), { strict: false });
    const method = controller[name];
    if (method === undefined) throw new Error(`${context.getClass().name} has no method ${name}`);
    return method.bind(controller);
  }

  private async once(key: string, keyed: Keyed): Promise<unknown> {
    if (key.length < 1 || key.length > 255) {
      throw fault('header.invalid', 'Idempotency-Key must have 1 to 255 characters');
    }
    const { caller, request, fingerprint } = keyed;
    const scope = [caller.company.toHexString(), caller.credential, request.method, request.path, key];
    const id = hash(JSON.stringify(scope));
    const held = await this.store.claim(id, fingerprint, caller.company);
    return held instanceof Date ? this.run(id, held, keyed, () => answerOf(keyed)) : this.repeat(held, keyed);
  }

  private async repeat(held: IdempotencyRow, keyed: Keyed): Promise<unknown> {
    const { fingerprint, response } = keyed;
    if (held.fingerprint !== fingerprint) {
      throw fault('idempotency_key.reused', 'This Idempotency-Key was used with another body or query');
    }
    if (held.state === 'done') return replay(held.status, this.store.replyOf(held), response);
    const wait = held.locked_until.getTime() - this.clock.read().getTime();
    const lock = wait > 0 ? null : await this.store.takeOver(held);
    if (lock === null) {
      throw fault(
        'idempotency_key.in_flight',
        'The first request with this Idempotency-Key is still running',
        { retry_after_ms: 1000 },
      );
    }
    const { _id, company, subject } = held;
    if (subject === null) return this.run(_id, lock, keyed, () => answerOf(keyed));
    response.setHeader('Idempotent-Replayed', 'true');
    return this.run(_id, lock, keyed, () => this.resumed(company, subject, keyed));
  }

  /** What the route itself would have answered. */
  private async resumed(company: Id, subject: ClaimSubject, keyed: Keyed): Promise<unknown> {
    const { caller, resume, request, about } = keyed;
    const named = subject.ids.find((id) => id.toHexString() === request.params['id']);
    const ids = about.isList ? subject.ids : [named ?? subject.ids[0]].filter((id) => id !== undefined);
    const values =
      resume === null
        ? await this.store.written(company, { ...subject, ids })
        : await Promise.all(ids.map((id) => resume(caller, id.toHexString())));
    return about.isList ? values : values[0];
  }

  private async run(
    id: string,
    lock: Date,
    { request, response, about }: Keyed,
    work: () => Promise<unknown>,
  ): Promise<RenderedReply | undefined> {
    const claim: RequestClaim = {
      collection: about.collection,
      noted: false,
      noteOf: (ids) => {
        const { collection } = about;
        return this.store.noteOf(
          id,
          lock,
          collection === null || ids.length === 0 ? null : { collection, ids },
        );
      },
    };
    try {
      const value: unknown = await withClaim(claim, work);
      if (value === undefined) {
        await this.store.finish(id, lock, 204, '');
        return undefined;
      }
      const body = renderedFor(request, response)(value);
      await this.store.finish(id, lock, response.statusCode, JSON.stringify(body));
      return new RenderedReply(body);
    } catch (error) {
      await this.settle(id, lock, error);
      throw error;
    }
  }

  /** Keeps an answer that will not change; lets the key go after any other. */
  private async settle(id: string, lock: Date, error: unknown): Promise<void> {
    const status = isFault(error) ? statusOf(error.code) : 500;
    if (!isFault(error) || status >= 500 || NOT_STORED.has(status) || TRY_AGAIN.has(error.code)) {
      const released = this.store.release(id, lock);
      // Where the database does not answer, the caller need not wait for it a second time: the lock ends by itself.
      if (databaseTrouble(error) !== null) released.catch(() => undefined);
      else await released;
      return;
    }
    const { code, message, details } = error;
    await this.store.finish(id, lock, status, JSON.stringify({ fault: { code, message, details } }));
  }
}

/** What the route answers with; undefined where it answers with nothing. */
const answerOf = ({ next }: Keyed): Promise<unknown> =>
  lastValueFrom(next.handle(), { defaultValue: undefined });

function hash(...parts: (string | Buffer)[]): string {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part);
  return sha.digest('hex');
}

/** What must be the same when a key is used again. */
function fingerprintOf({ rawBody, originalUrl }: ServiceRequest): string {
  const query = new URL(originalUrl, 'http://host').search;
  return hash(query, '\n', rawBody ?? '');
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

/** The stored answer. A stored refusal is thrown again and rendered like the first. */
function replay(status: number, body: string, response: Response): RenderedReply | undefined {
  response.setHeader('Idempotent-Replayed', 'true');
  if (body === '') return undefined;
  const stored = JSON.parse(body) as { fault?: { code: string; message: string; details: object } };
  if (status >= 400 && stored.fault !== undefined) {
    const { code, message, details } = stored.fault;
    throw fault(code, message, { ...details });
  }
  response.status(status);
  return new RenderedReply(stored);
}
