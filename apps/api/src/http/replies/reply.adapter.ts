import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { type Page, type RecordStream } from '@commerce/data';
import { inTurns } from '@commerce/platform';
import { replyJson } from '@commerce/records';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';

import type { ServiceRequest } from '../service-request.js';
import { jsonFor } from '../versions/versions.js';
import { setPageHeaders, setTotalHeaders } from './page-links.js';
import { stream } from './stream.js';

/** A reply with an error status that is no problem document: its body is a record. */
export class RecordReply {
  constructor(
    readonly status: number,
    readonly record: object,
  ) {}
}

/** The body of a reply as JSON, in the version of the request. */
export class RenderedReply {
  constructor(readonly json: string) {}
}

/**
 * Express with rendered replies: records, lists, pages and streams, in the requested version. An
 * interceptor could do the same, at a cost per request as high as the rendering itself.
 */
export class ReplyAdapter extends ExpressAdapter {
  /** Runs before the reply to a request without a route; Nest adds that reply when the application starts. */
  beforeUnrouted: RequestHandler = (_request, _response, next) => {
    next();
  };

  override setNotFoundHandler(...given: Parameters<ExpressAdapter['setNotFoundHandler']>): void {
    this.use(this.beforeUnrouted);
    super.setNotFoundHandler(...given);
  }

  override setErrorHandler(...given: Parameters<ExpressAdapter['setErrorHandler']>): void {
    const handler: ErrorRequestHandler = (error, request, response, next) => {
      this.beforeUnrouted(request, response, (refusal?: unknown) => {
        next(refusal ?? error);
      });
    };
    this.use(handler);
    super.setErrorHandler(...given);
  }

  override reply(response: Response, value: unknown, status?: number): unknown {
    const request = response.req as ServiceRequest;
    if (isStream(value)) {
      setTotalHeaders(value.total, response);
      request.deadline.allowStream();
      return stream(value.stream, response, request.version ?? null);
    }
    if (isBody(value)) return super.reply(response, value, status);
    if (status !== undefined) response.status(status);
    if (isPage(value)) return sendPage(value, request, response);
    return sendJson(response, jsonOf(value, request, response));
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

function sendJson(response: Response, json: string): Response {
  return response.setHeader('Content-Type', JSON_TYPE).send(Buffer.from(json));
}

async function sendPage(page: Page<object>, request: ServiceRequest, response: Response): Promise<void> {
  sendJson(response, await inTurns(pageJson(page, request, response)));
}

function jsonOf(value: unknown, request: ServiceRequest, response: Response): string {
  if (value instanceof RenderedReply) return value.json;
  return jsonFor(request.version ?? null, renderedFor(request, response, value));
}

/** Renders a value as the JSON of a reply of the newest version, and sets its status and headers. */
export function renderedFor(request: ServiceRequest, response: Response, value: unknown): string {
  if (!(value instanceof RecordReply)) return replyJson(value);
  response.status(value.status);
  return replyJson(value.record);
}

function isBody(value: unknown): boolean {
  return value === undefined || typeof value === 'string' || value instanceof StreamableFile;
}

function isPage(value: unknown): value is Page<object> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Array.isArray((value as Page<object>).records) &&
    'total' in value
  );
}

function isStream(value: unknown): value is RecordStream<object> {
  if (typeof value !== 'object' || value === null) return false;
  const { stream: records } = value as Partial<RecordStream<object>>;
  return typeof records === 'object' && Symbol.asyncIterator in records;
}

/** The most characters of a page. A larger record has a page to itself. */
const MOST_PAGE_JSON = 4 * 1024 * 1024;

/** The records of a page as JSON, as many as the reply has room for; the headers carry its other fields. */
function* pageJson(page: Page<object>, request: ServiceRequest, response: Response): Generator<void, string> {
  const shown: string[] = [];
  let length = 0;
  for (const record of page.records) {
    const json = replyJson(record);
    length += json.length;
    if (shown.length > 0 && length > MOST_PAGE_JSON) break;
    shown.push(jsonFor(request.version ?? null, json));
    yield;
  }
  const isCut = shown.length < page.records.length;
  const records = page.records.slice(0, shown.length);
  setPageHeaders(isCut ? { ...page, records, hasMore: true, isCut } : page, request.originalUrl, response);
  return `[${shown.join(',')}]`;
}
