import {
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { REPLY, render, type Page, type RecordStream } from '@commerce/platform';
import type { Response } from 'express';
import { map, mergeMap, of, type Observable } from 'rxjs';

import type { ServiceRequest } from '../service-request.js';
import { shapeFor } from '../versions/versions.js';
import { setPageHeaders, setTotalHeaders } from './page-links.js';
import { stream } from './stream.js';

/** A reply that is no success and yet no problem document: its body is a record. */
export class RecordReply {
  constructor(
    readonly status: number,
    readonly record: object,
  ) {}
}

/** Renders what controllers return: records, lists, pages and streams, in the reply dialect and the asked version. */
@Injectable()
export class ReplyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const response = http.getResponse<Response>();
    const shape = shapeFor(request.version ?? null);
    const rendered = renderedFor(request, response);
    return next.handle().pipe(
      mergeMap((value: unknown) => {
        if (!isStream(value)) return of(value);
        setTotalHeaders(value.total, response);
        request.deadline.allowStream();
        return stream(value.stream, response, shape);
      }),
      map((value: unknown) => {
        if (value === undefined || value instanceof StreamableFile || response.headersSent) return value;
        return rendered(value);
      }),
    );
  }
}

/** Renders a value as the body of one reply, and sets the status and headers that belong to it. */
export function renderedFor(request: ServiceRequest, response: Response): (value: unknown) => unknown {
  const shape = shapeFor(request.version ?? null);
  return (value) => {
    if (isPage(value)) return shape(render(recordsOf(value, request, response), REPLY));
    if (!(value instanceof RecordReply)) return shape(render(value, REPLY));
    response.status(value.status);
    return shape(render(value.record, REPLY));
  };
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

/** The body of a page is its records; the headers say the rest. */
function recordsOf(page: Page<object>, request: ServiceRequest, response: Response): readonly object[] {
  setPageHeaders(page, request.originalUrl, response);
  return page.records;
}
