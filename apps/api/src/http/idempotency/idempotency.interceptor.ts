import { createHash } from 'node:crypto';

import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { fault, isFault } from '@commerce/kernel';
import { REPLY, SystemClock, render, withClaim, type RequestClaim } from '@commerce/platform';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';

import { IdempotencyStore, type IdempotencyRow } from './idempotency.store.js';
import type { ServiceRequest } from '../service-request.js';
import { statusOf } from '../faults/statuses.js';

const METHODS = new Set(['POST', 'PUT', 'DELETE']);
/** Outcomes that the caller can repair; the key stays free for the repaired request. */
const NOT_STORED = new Set([401, 403, 422, 429]);

/**
 * Makes a request with an Idempotency-Key take effect once: a repetition gets the stored answer. The row is
 * claimed before the work and notes, in the work's own transaction, what was written; so when a process died in
 * between, the repetition finds the work instead of doing it again.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly clock: SystemClock,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const key = request.headers['idempotency-key'];
    if (key === undefined || !METHODS.has(request.method) || request.caller === undefined)
      return next.handle();
    return from(this.once(String(key), request, http.getResponse<Response>(), next));
  }

  private async once(
    key: string,
    request: ServiceRequest,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    if (key.length < 1 || key.length > 255) {
      throw fault('header.invalid', 'Idempotency-Key must have 1 to 255 characters');
    }
    const { caller } = request;
    if (caller === undefined) throw new Error('an idempotency key is looked at before the caller is known');
    const scope = [caller.company.toHexString(), caller.credential, request.method, request.path, key];
    const id = createHash('sha256').update(JSON.stringify(scope)).digest('hex');
    const fingerprint = createHash('sha256')
      .update(request.rawBody ?? '')
      .digest('hex');
    const held = await this.store.claim(id, fingerprint, caller.company);
    return held instanceof Date ? this.run(id, held, next) : this.repeat(held, fingerprint, response, next);
  }

  private async repeat(
    held: IdempotencyRow,
    fingerprint: string,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    if (held.fingerprint !== fingerprint) {
      throw fault('idempotency_key.reused', 'This Idempotency-Key was used with another body');
    }
    if (held.state === 'done') return replay(held.status, held.body, response);
    const wait = held.locked_until.getTime() - this.clock.now().getTime();
    const lock = wait > 0 ? null : await this.store.takeOver(held);
    if (lock === null) {
      throw fault(
        'idempotency_key.in_flight',
        'The first request with this Idempotency-Key is still running',
        {
          retry_after_ms: 1000,
        },
      );
    }
    if (held.subject === null) return this.run(held._id, lock, next);
    const record = await this.store.written(held.company, held.subject);
    const body = JSON.stringify(render(record, REPLY));
    await this.store.finish(held._id, lock, 200, body);
    return replay(200, body, response);
  }

  private async run(id: string, lock: Date, next: CallHandler): Promise<unknown> {
    const claim: RequestClaim = {
      noted: false,
      note: (subject, session) => this.store.note(id, lock, subject, session),
    };
    try {
      const value: unknown = await withClaim(claim, () =>
        lastValueFrom(next.handle(), { defaultValue: undefined }),
      );
      const [status, body] = value === undefined ? [204, ''] : [200, JSON.stringify(value)];
      await this.store.finish(id, lock, status, body);
      return value;
    } catch (error) {
      await this.settle(id, lock, error);
      throw error;
    }
  }

  /** Keeps an answer that will not change; lets the key go after any other. */
  private async settle(id: string, lock: Date, error: unknown): Promise<void> {
    const status = isFault(error) ? statusOf(error.code) : 500;
    if (!isFault(error) || status >= 500 || NOT_STORED.has(status)) {
      await this.store.release(id, lock);
      return;
    }
    const { code, message, details } = error;
    await this.store.finish(id, lock, status, JSON.stringify({ code, message, details }));
  }
}

/** The stored answer. A stored refusal is thrown again and rendered like the first. */
function replay(status: number, body: string, response: Response): unknown {
  response.setHeader('Idempotent-Replayed', 'true');
  if (status >= 400) {
    const { code, message, details } = JSON.parse(body) as { code: string; message: string; details: object };
    throw fault(code, message, { ...details });
  }
  return body === '' ? undefined : (JSON.parse(body) as unknown);
}
