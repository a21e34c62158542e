import { fault, isFault } from '@commerce/kernel';
import type { Response } from 'express';

import { isFinal, statusOf } from '../faults/statuses.js';
import { RenderedReply, renderedFor } from '../replies/reply.adapter.js';
import type { ServiceRequest } from '../service-request.js';
import { jsonFor } from '../versions/versions.js';
import type { KeptReply } from './idempotency.store.js';

/** A stored refusal. */
interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details: object;
}

/** A request, and the reply that it gets. */
interface Exchange {
  readonly request: ServiceRequest;
  readonly response: Response;
}

/** Returns a final refusal to store, or null for any other error, which releases the key. */
export function refusalToKeep(error: unknown): KeptReply | null {
  if (!isFault(error)) return null;
  const { code, message, details } = error;
  if (!isFinal(code)) return null;
  return { status: statusOf(code), body: JSON.stringify({ fault: { code, message, details } }) };
}

/** The stored form of a reply: the newest version, because a repetition may request another. */
export function rendered(value: unknown, { request, response }: Exchange): KeptReply {
  if (value === undefined) return { status: 204, body: '' };
  const body = renderedFor(request, response, value);
  return { status: response.statusCode, body };
}

/** Converts a stored reply to the version that this request asks for. */
export const sent = ({ body }: KeptReply, { version }: ServiceRequest): RenderedReply | undefined =>
  body === '' ? undefined : new RenderedReply(jsonFor(version ?? null, body));

/** Returns a stored success, and throws a stored refusal to render it like the first time. */
export function replay(reply: KeptReply, { request, response }: Exchange): RenderedReply | undefined {
  const { status, body } = reply;
  response.setHeader('Idempotent-Replayed', 'true');
  if (status >= 400) {
    const { fault: refusal } = JSON.parse(body) as { fault?: Refusal };
    if (refusal !== undefined) throw fault(refusal.code, refusal.message, { ...refusal.details });
  }
  if (body !== '') response.status(status);
  return sent(reply, request);
}
