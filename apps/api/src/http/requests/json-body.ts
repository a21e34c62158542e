import { fault, type FieldError } from '@commerce/kernel';
import { FREE_JSON_LIMITS } from '@commerce/platform';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';

import type { ServiceRequest } from '../service-request.js';

const { depth: MAX_DEPTH, keys: MAX_KEYS } = FREE_JSON_LIMITS;

/** Reads JSON bodies up to `limit` and refuses what no field may hold, before anything walks into it. */
export function jsonBody(limit: string): RequestHandler {
  const parse = express.json({
    limit,
    strict: false,
    type: ['application/json', 'application/*+json'],
    verify: (request, _response, bytes) => {
      (request as ServiceRequest).rawBody = bytes;
    },
  });
  return (request: Request, response: Response, next: NextFunction) => {
    // Most requests carry nothing, and what comes with a GET has no meaning; neither need pass the parser.
    if (request.method === 'GET' || request.method === 'HEAD' || !carriesBody(request)) {
      next();
      return;
    }
    if (isForeign(request)) {
      next(fault('media_type.unsupported', 'Bodies must be sent as application/json'));
      return;
    }
    parse(request, response, (error?: unknown) => {
      if (error === undefined) checkBody(request, next);
      else next(error);
    });
  };
}

function carriesBody({ headers }: Request): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** A body in another format is refused rather than overlooked. */
function isForeign(request: Request): boolean {
  if (request.headers['content-length'] === '0') return false;
  return request.is(['application/json', 'application/*+json', 'multipart/form-data']) === false;
}

function checkBody(request: Request, next: NextFunction): void {
  if (request.body === undefined) {
    next();
    return;
  }
  const errors: FieldError[] = [];
  check(request.body as unknown, '', 1, { keys: 0 }, errors);
  next(errors[0] === undefined ? undefined : fault('value.invalid', errors[0].message, { errors }));
}

/** Walks a parsed value; the walk itself goes no deeper than what is allowed. */
function check(
  value: unknown,
  path: string,
  depth: number,
  count: { keys: number },
  errors: FieldError[],
): void {
  if (errors.length > 0) return;
  if (typeof value === 'string') checkText(value, path, errors);
  else if (typeof value === 'number' && !Number.isFinite(value)) bad(path, 'is too large a number', errors);
  else if (typeof value === 'object' && value !== null) {
    if (depth > MAX_DEPTH) {
      bad(path, `is nested deeper than ${String(MAX_DEPTH)} levels`, errors);
      return;
    }
    const list = Array.isArray(value);
    for (const [key, one] of Object.entries(value)) {
      if (!list) {
        count.keys += 1;
        if (count.keys > MAX_KEYS) bad(path, `has more than ${String(MAX_KEYS)} keys`, errors);
        checkText(key, path, errors);
      }
      // In a list at the top, as bulk routes take, each element is a body of its own.
      const counted = list && depth === 1 ? { keys: 0 } : count;
      check(one, path === '' ? key : `${path}.${key}`, depth + 1, counted, errors);
      if (errors.length > 0) return;
    }
  }
}

function checkText(text: string, path: string, errors: FieldError[]): void {
  if (text.includes('\0')) bad(path, 'holds the character NUL', errors);
  else if (!isWellFormed(text)) bad(path, 'holds half a surrogate pair', errors);
}

/** Half a surrogate pair cannot be written as UTF-8: it would come back as another character. */
function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDFFF]/u.test(text);
}

function bad(path: string, reason: string, errors: FieldError[]): void {
  const shown = path.replace(/[\uD800-\uDFFF\0]/gu, '').slice(0, 200);
  const message = `${shown === '' ? 'The body' : shown} ${reason}`;
  errors.push({ path: shown, code: 'value.invalid', message });
}
