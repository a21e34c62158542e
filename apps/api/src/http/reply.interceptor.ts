import {
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { REPLY, render, type Page } from '@commerce/platform';
import type { Response } from 'express';
import { map, mergeMap, of, type Observable } from 'rxjs';

import type { ServiceRequest } from './requests.js';
import { shapeFor } from './versions/versions.js';

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
      mergeMap((value: unknown) => (isStream(value) ? streamed(value, response, shape) : of(value))),
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
    if (isPage(value)) return shape(render(paged(value, request, response), REPLY));
    if (!(value instanceof RecordReply)) return shape(render(value, REPLY));
    response.status(value.status);
    return shape(render(value.record, REPLY));
  };
}

type Shape = (value: unknown) => unknown;

function isPage(value: unknown): value is Page<object> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Array.isArray((value as Page<object>).records) &&
    'total' in value
  );
}

function isStream(value: unknown): value is AsyncIterable<object> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The records of a page; its place in the whole goes into the headers. */
function paged(page: Page<object>, request: ServiceRequest, response: Response): readonly object[] {
  const { size, page: at, after } = page.query;
  response.setHeader('X-Total-Count', String(page.total));
  const last = Math.max(0, Math.ceil(page.total / size) - 1);
  const links: string[] = [];
  const link = (rel: string, changes: Readonly<Record<string, string>>): void => {
    const url = new URL(request.originalUrl, 'http://host');
    for (const [key, value] of Object.entries(changes)) url.searchParams.set(key, value);
    if (!('after' in changes)) url.searchParams.delete('after');
    else url.searchParams.delete('page');
    links.push(`<${url.pathname}${url.search}>; rel="${rel}"`);
  };
  link('first', { page: '0' });
  if (after === null) {
    if (at > 0) link('prev', { page: String(Math.min(at - 1, last)) });
    if (at < last) link('next', { page: String(at + 1) });
    link('last', { page: String(last) });
  } else if (page.records.length === size) {
    const end = page.records.at(-1) as { _id?: { toHexString(): string } } | undefined;
    if (end?._id) link('next', { after: end._id.toHexString() });
  }
  response.setHeader('Link', links.join(', '));
  return page.records;
}

/** Writes a long list record by record, as fast as the caller reads it. */
async function streamed(values: AsyncIterable<object>, response: Response, shape: Shape): Promise<undefined> {
  response.status(200).type('application/json');
  let separator = '[';
  for await (const value of values) {
    const more = response.write(separator + JSON.stringify(shape(render(value, REPLY))));
    separator = ',';
    if (!more && !response.destroyed)
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    if (response.destroyed) return undefined;
  }
  response.end(separator === '[' ? '[]' : ']');
  return undefined;
}
