import { createHash } from 'node:crypto';

import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { fault } from '@commerce/kernel';
import {
  databaseTrouble,
  withReservation,
  type Caller,
  type Lease,
  type ReservationSubject,
  type RequestReservation,
} from '@commerce/data';
import { parseId, type Id, type OwnedRecord } from '@commerce/records';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';

import { idempotencyNotes, type IdempotencyNotes } from './idempotency.notes.js';
import {
  IdempotencyStore,
  type IdempotencyRow,
  type KeptReply,
  type KeyPlace,
  type KeyUse,
} from './idempotency.store.js';
import { refusalToKeep, rendered, replay, sent } from './kept-reply.js';
import { ReplyLimiter } from './reply-limiter.js';
import type { ServiceRequest } from '../service-request.js';

const METHODS = new Set(['POST', 'PUT', 'DELETE']);

/** The records that a request of a company wrote. */
interface WrittenBy {
  readonly company: Id;
  readonly subject: ReservationSubject;
}

/** Shows a record as the reply did. */
type ShowAgain = (caller: Caller, id: string) => Promise<unknown>;

/** `beside`: the records of other collections that the interrupted request wrote in the same commit. */
type Resume = (caller: Caller, written: string, beside: readonly Id[]) => Promise<unknown>;

/** One request with an Idempotency-Key. */
interface Keyed extends IdempotencyNotes {
  readonly caller: Caller;
  readonly request: ServiceRequest;
  readonly response: Response;
  readonly next: CallHandler;
  readonly resume: Resume | null;
  readonly showAgain: ShowAgain | null;
}

/**
 * Makes a request with an Idempotency-Key take effect once; a repetition gets the stored reply.
 * Routes marked `@InOneCommit()` reserve the key and store the reply in the commit that does the work. All others
 * reserve the key first, and the work's transaction notes the records it writes, so that a repetition finds the work of
 * a process that died.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly limiter: ReplyLimiter,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const key = request.headers['idempotency-key'];
    const { caller } = request;
    if (key === undefined || !METHODS.has(request.method) || caller === undefined) return next.handle();
    const response = http.getResponse<Response>();
    const notes = idempotencyNotes(this.reflector, context);
    const resume = this.methodOf<Resume>(context, notes.resumedBy);
    const showAgain = this.methodOf<ShowAgain>(context, notes.shownBy ?? null);
    return from(this.once(String(key), { ...notes, caller, request, response, next, resume, showAgain }));
  }

  private methodOf<M extends Resume | ShowAgain>(context: ExecutionContext, name: string | null): M | null {
    if (name === null) return null;
    const controller = this.modules.get<Record<string, M>>(context.getClass(), { strict: false });
    const method = controller[name];
    if (method === undefined) throw new Error(`${context.getClass().name} has no method ${name}`);
    return method.bind(controller) as M;
  }

  private async once(key: string, keyed: Keyed): Promise<unknown> {
    if (key.length < 1 || key.length > 255) {
      throw fault('header.invalid', 'Idempotency-Key must have 1 to 255 characters');
    }
    const { company, credential } = keyed.caller;
    const { method, path } = keyed.request;
    const scope = [company.toHexString(), credential, method, path, key];
    const use = { _id: hash(JSON.stringify(scope)), fingerprint: fingerprintOf(keyed.request), company };
    if (keyed.show !== null) return this.inOneCommit(use, keyed, keyed.show);
    const held = await this.store.reserve(use);
    return 'until' in held
      ? this.run(use, held, keyed, () => answerOf(keyed))
      : this.repeat(held, use, keyed);
  }

  /**
   * Runs the route immediately. When another request holds the key, nothing is written and that request's reply is
   * returned.
   */
  private async inOneCommit(use: KeyUse, keyed: Keyed, show: (written: never) => object): Promise<unknown> {
    const kept: { value?: unknown; reply?: KeptReply } = {};
    const reservation: RequestReservation = {
      collection: keyed.about.collection,
      noted: false,
      noteOf: async (written) => {
        const records = answeredOf(written, (record) => record._id, keyed).map((one) => show(one as never));
        if (records.length === 0) {
          throw new Error(
            `${keyed.request.method} ${keyed.request.path} does not write what it answers with`,
          );
        }
        kept.value = keyed.about.isList ? records : records[0];
        kept.reply = rendered(kept.value, keyed);
        const { collection } = keyed.about;
        return this.store.keptBy(
          use,
          await this.toKeep(kept.reply, subjectOf(collection, written, []), keyed),
        );
      },
    };
    let reply: KeptReply;
    try {
      const value = await withReservation(reservation, () => answerOf(keyed));
      reply = reservation.noted && kept.reply !== undefined ? kept.reply : rendered(value, keyed);
    } catch (error) {
      if (reservation.noted || databaseTrouble(error) !== null) throw error;
      const refusal = refusalToKeep(error);
      const held = refusal === null ? await this.store.find(use) : await this.store.keep(use, refusal);
      if (held === null) throw error;
      return this.repeat(held, use, keyed);
    }
    const held = reservation.noted ? null : await this.store.keep(use, await this.toKeep(reply, null, keyed));
    return held === null ? sent(reply, keyed.request) : this.repeat(held, use, keyed);
  }

  private async repeat(held: IdempotencyRow, { fingerprint }: KeyUse, keyed: Keyed): Promise<unknown> {
    const { response } = keyed;
    if (held.fingerprint !== fingerprint) {
      throw fault('idempotency_key.reused', 'This Idempotency-Key was used with another body or query');
    }
    if (held.state === 'done') {
      const body = this.store.replyOf(held);
      return body === null ? this.shownAgain(held, keyed) : replay({ status: held.status, body }, keyed);
    }
    const lease = await this.store.takeOver(held);
    if (lease === null) {
      throw fault(
        'idempotency_key.in_flight',
        'The first request with this Idempotency-Key is still running',
      );
    }
    const { company, subject } = held;
    if (subject === null) return this.run(held, lease, keyed, () => answerOf(keyed));
    response.setHeader('Idempotent-Replayed', 'true');
    const { caller, resume } = keyed;
    const one = resume === null ? null : (id: string) => resume(caller, id, subject.beside ?? []);
    return this.run(held, lease, keyed, () => this.again({ company, subject }, keyed, one));
  }

  /** The records of a reply, as they are now; `one` shows one of them. */
  private async again(
    { company, subject }: WrittenBy,
    keyed: Keyed,
    one: ((id: string) => Promise<unknown>) | null,
  ): Promise<unknown> {
    const { about, show } = keyed;
    const ids = answeredOf(subject.ids, (id) => id, keyed);
    const values =
      one === null
        ? (await this.store.written(company, { ...subject, ids })).map((it) => show?.(it as never) ?? it)
        : await Promise.all(ids.map((id) => one(id.toHexString())));
    return about.isList ? values : values[0];
  }

  private async run(
    place: KeyPlace,
    lease: Lease,
    keyed: Keyed,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    const { collection } = keyed.about;
    let subject: ReservationSubject | null = null;
    const reservation: RequestReservation = {
      collection,
      noted: false,
      noteOf: (written, others) => {
        subject = subjectOf(collection, written, keyed.resume === null ? [] : others) ?? subject;
        return this.store.noteOf(place, lease, subject);
      },
    };
    try {
      const reply = rendered(await withReservation(reservation, work), keyed);
      await this.store.finish(place, lease, await this.toKeep(reply, subject, keyed));
      return sent(reply, keyed.request);
    } catch (error) {
      await this.settle(place, lease, error);
      throw error;
    }
  }

  /** The reply as it is kept: without its body where the budget of the company does not suffice for it. */
  private async toKeep(
    reply: KeptReply,
    written: ReservationSubject | null,
    keyed: Keyed,
  ): Promise<KeptReply> {
    if (reply.body === '' || (await this.limiter.takes(keyed.caller.company, reply.body))) return reply;
    const isShownAgain = reply.status < 300 && keyed.shownBy !== null;
    return { ...reply, instead: isShownAgain ? (written ?? namedBy(keyed)) : null };
  }

  /** Replies with the records of a reply that was not kept, as they are now. */
  private async shownAgain({ company, subject, status }: IdempotencyRow, keyed: Keyed): Promise<unknown> {
    if (subject === null) throw new Error('a reply was kept without its records');
    const { caller, showAgain, response } = keyed;
    const one = showAgain === null ? null : (id: string) => showAgain(caller, id);
    const reply = rendered(await this.again({ company, subject }, keyed, one), keyed);
    response.setHeader('Idempotent-Replayed', 'true');
    response.status(status);
    return sent(reply, keyed.request);
  }

  /** Stores a final reply; releases the key after any other. */
  private async settle(place: KeyPlace, lease: Lease, error: unknown): Promise<void> {
    const refusal = refusalToKeep(error);
    if (refusal !== null) return this.store.finish(place, lease, refusal);
    const released = this.store.release(place, lease);
    // Where the database does not answer, the caller need not wait for it a second time: the lease ends by itself.
    if (databaseTrouble(error) !== null) released.catch(() => undefined);
    else await released;
  }
}

/** The route's reply; undefined when it has no body. */
const answerOf = ({ next }: Keyed): Promise<unknown> =>
  lastValueFrom(next.handle(), { defaultValue: undefined });

/** Selects the records of the route's reply among those that the request wrote. */
function answeredOf<T>(written: readonly T[], idOf: (one: T) => Id, { about, request }: Keyed): T[] {
  if (about.isList) return [...written];
  const named = written.find((one) => idOf(one).toHexString() === request.params['id']);
  return [named ?? written[0]].filter((one) => one !== undefined);
}

function subjectOf(
  collection: string | null,
  written: readonly OwnedRecord[],
  others: readonly OwnedRecord[],
): ReservationSubject | null {
  if (collection === null || written.length === 0) return null;
  const [ids, beside] = [written, others].map((records) => records.map(({ _id }) => _id));
  return { collection, ids: ids ?? [], beside };
}

/** The record that the path names, for a request that wrote nothing. */
function namedBy({ about: { collection, isList }, request }: Keyed): ReservationSubject | null {
  const id = parseId(String(request.params['id'] ?? ''));
  return collection === null || isList || id === null ? null : { collection, ids: [id], beside: [] };
}

function hash(...parts: (string | Buffer)[]): string {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part);
  return sha.digest('hex');
}

/** A digest of the query and the body, which a repetition must match. */
function fingerprintOf({ rawBody, originalUrl }: ServiceRequest): string {
  const query = new URL(originalUrl, 'http://host').search;
  return hash(query, '\n', rawBody ?? '');
}
