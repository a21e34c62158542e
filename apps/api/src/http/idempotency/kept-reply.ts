import { fault, isFault } from '@commerce/kernel';
import type { Response } from 'express';

import { isFinal, statusOf } from '../faults/statuses.js';
import { RenderedReply, renderedFor } from '../replies/reply.adapter.js';
import type { ServiceRequest } from '../service-request.js';
import { jsonFor } from '../versions/versions.js';

/** A reply before it is stored; its body as JSON, or empty. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

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
export function refusalOf(error: unknown): Reply | null {
  if (!isFault(error)) return null;
  const { code, message, details } = error;
  if (!isFinal(code)) return null;
  return { status: statusOf(code), body: JSON.stringify({ fault: { code, message, details } }) };
}

/** The most characters of a text in a refusal whose details are not kept. */
const MOST_TEXT = 256;

/** A stored refusal without the details that may be large, such as records. */
export function shortened({ body }: Reply): string {
  const { fault: refusal } = JSON.parse(body) as { fault: Refusal };
  const isShort = (value: unknown): boolean => JSON.stringify(value).length <= MOST_TEXT;
  const details = Object.fromEntries(Object.entries(refusal.details).filter(([, value]) => isShort(value)));
  return JSON.stringify({ fault: { ...refusal, message: refusal.message.slice(0, MOST_TEXT), details } });
}

/** The stored form of a reply: the newest version, because a repetition may request another. */
export function rendered(value: unknown, { request, response }: Exchange): Reply {
  if (value === undefined) return { status: 204, body: '' };
  const body = renderedFor(request, response, value);
  return { status: response.statusCode, body };
}

/** Converts a stored reply to the version that this request asks for. */
export const sent = ({ body }: Reply, { version }: ServiceRequest): RenderedReply | undefined =>
  body === '' ? undefined : new RenderedReply(jsonFor(version ?? null, body));

/** Returns a stored success, and throws a stored refusal to render it like the first time. */
export function replay(reply: Reply, { request, response }: Exchange): RenderedReply | undefined {
  const { status, body } = reply;
  response.setHeader('Idempotent-Replayed', 'true');
  if (status >= 400) {
    const { fault: refusal } = JSON.parse(body) as { fault?: Refusal };
    if (refusal !== undefined) throw fault(refusal.code, refusal.message, { ...refusal.details });
  }
  if (body !== '') response.status(status);
  return sent(reply, request);
}
