import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { fault } from '@commerce/kernel';
import {
  databaseTrouble,
  withReservation,
  type Lease,
  type ReservationSubject,
  type RequestReservation,
} from '@commerce/data';
import type { Id } from '@commerce/records';
import type { Response } from 'express';
import { from, type Observable } from 'rxjs';

import type { ServiceRequest } from '../service-request.js';
import { IdempotencyLimiter } from './idempotency-limiter.js';
import { idempotencyNotes } from './idempotency.notes.js';
import {
  IdempotencyStore,
  type IdempotencyRow,
  type KeptReply,
  type KeyPlace,
  type KeyUse,
} from './idempotency.store.js';
import { refusalOf, rendered, replay, sent, shortened, type Reply } from './kept-reply.js';
import {
  answerOf,
  answeredOf,
  keyOf,
  namedBy,
  showing,
  subjectOf,
  useOf,
  type Keyed,
  type Resume,
  type ShowAgain,
} from './keyed-request.js';

/** The records that a request of a company wrote. */
interface WrittenBy {
  readonly company: Id;
  readonly subject: ReservationSubject;
}

/** A request that has ended, and the records of its reply. */
interface Outcome {
  readonly use: KeyPlace;
  subject: ReservationSubject | null;
  readonly keyed: Keyed;
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
    private readonly limiter: IdempotencyLimiter,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const key = keyOf(request);
    const { caller } = request;
    if (key === undefined || caller === undefined) return next.handle();
    const response = http.getResponse<Response>();
    const notes = idempotencyNotes(this.reflector, context);
    const resume = this.methodOf<Resume>(context, notes.resumedBy);
    const showAgain = this.methodOf<ShowAgain>(context, notes.shownBy);
    return from(this.once(key, { ...notes, caller, request, response, next, resume, showAgain }));
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
    const use = useOf(key, keyed);
    if (keyed.show !== null) return this.inOneCommit(use, keyed, keyed.show);
    const held = await this.store.reserve(use);
    return 'until' in held
      ? this.run(use, held, keyed, () => this.begun(keyed))
      : this.repeat(held, use, keyed);
  }

  /** Runs the route; one that shows a secret once only where there is room to keep its reply. */
  private async begun(keyed: Keyed): Promise<unknown> {
    if (keyed.showsSecret) await this.limiter.requireSecret(keyed.caller);
    return answerOf(keyed);
  }

  /**
   * Runs the route immediately. When another request holds the key, nothing is written and that request's reply is
   * returned.
   */
  private async inOneCommit(use: KeyUse, keyed: Keyed, show: (written: never) => object): Promise<unknown> {
    const kept: { reply?: Reply } = {};
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
        kept.reply = rendered(keyed.about.isList ? records : records[0], keyed);
        const subject = subjectOf(keyed.about.collection, written, []);
        return this.store.keptBy(use, await this.toKeep(kept.reply, { use, subject, keyed }));
      },
    };
    let reply: Reply;
    try {
      const value = await withReservation(reservation, () => answerOf(keyed));
      reply = reservation.noted && kept.reply !== undefined ? kept.reply : rendered(value, keyed);
    } catch (error) {
      if (reservation.noted || databaseTrouble(error) !== null) throw error;
      const refusal = await this.refusalToKeep(error, { use, subject: null, keyed });
      const held = refusal === null ? await this.store.find(use) : await this.store.keep(use, refusal);
      if (held === null) throw error;
      return this.repeat(held, use, keyed);
    }
    const subject = namedBy(keyed);
    const held = reservation.noted
      ? null
      : await this.store.keep(use, await this.toKeep(reply, { use, subject, keyed }));
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
    place: KeyPlace & Partial<Pick<IdempotencyRow, 'subject'>>,
    lease: Lease,
    keyed: Keyed,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    const { collection } = keyed.about;
    const outcome: Outcome = { use: place, subject: place.subject ?? null, keyed };
    const reservation: RequestReservation = {
      collection,
      noted: false,
      noteOf: (written, others) => {
        const noted = subjectOf(collection, written, keyed.resume === null ? [] : others);
        outcome.subject = noted ?? outcome.subject;
        return this.store.noteOf(place, lease, outcome.subject);
      },
    };
    try {
      const reply = rendered(await withReservation(reservation, work), keyed);
      const kept = await this.toKeep(reply, { ...outcome, subject: outcome.subject ?? namedBy(keyed) });
      await this.store.finish(place, lease, kept);
      return sent(reply, keyed.request);
    } catch (error) {
      await this.settle(lease, error, outcome);
      throw error;
    }
  }

  /** Prepares a reply for storage. A body that exceeds the caller's budget is left out. */
  private async toKeep({ status, body }: Reply, { use, subject, keyed }: Outcome): Promise<KeptReply> {
    const sealed = this.store.sealed(use, body);
    const isKept = body === '' || keyed.showsSecret || (await this.limiter.takes(keyed.caller, sealed));
    return { status, body: isKept ? sealed : null, instead: subject };
  }

  /**
   * Prepares a final refusal for storage; null for any other error. If it exceeds the budget, the records that a resuming
   * route wrote stand for it, and any other refusal loses its details.
   */
  private async refusalToKeep(error: unknown, outcome: Outcome): Promise<KeptReply | null> {
    const refusal = refusalOf(error);
    if (refusal === null) return null;
    const kept = await this.toKeep(refusal, outcome);
    const isShown = outcome.subject !== null && outcome.keyed.resume !== null;
    if (kept.body !== null || isShown) return kept;
    return { ...kept, body: this.store.sealed(outcome.use, shortened(refusal)) };
  }

  /** Replies with the records of a reply that is not kept, as they are now. */
  private async shownAgain(held: IdempotencyRow, keyed: Keyed): Promise<unknown> {
    const { company, subject, status } = held;
    if (subject === null) {
      const message = 'The first request with this Idempotency-Key took effect; its reply is not kept';
      throw fault('idempotency_key.reply_not_kept', message, { first_status: status });
    }
    const { caller, response } = keyed;
    response.setHeader('Idempotent-Replayed', 'true');
    const show = showing(held, keyed);
    const one = show === null ? null : (id: string) => show(caller, id);
    return sent(rendered(await this.again({ company, subject }, keyed, one), keyed), keyed.request);
  }

  /** Stores a final reply; releases the key after any other. */
  private async settle(lease: Lease, error: unknown, outcome: Outcome): Promise<void> {
    const { use } = outcome;
    const refusal = await this.refusalToKeep(error, outcome);
    if (refusal !== null) return this.store.finish(use, lease, refusal);
    const released = this.store.release(use, lease);
    // Where the database does not answer, the caller need not wait for it a second time: the lease ends by itself.
    if (databaseTrouble(error) !== null) released.catch(() => undefined);
    else await released;
  }
}
