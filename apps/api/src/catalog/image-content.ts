import { pipeline } from 'node:stream/promises';

import type { ImageContent } from '@commerce/catalog';
import type { Request, Response } from 'express';

import { isHeld } from '../http/replies/etag.js';

/** A range of the content from `start` (inclusive) to `end` (exclusive). */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Sends an image's content, or the requested range of it. The headers let pages of any origin show it, but only as an
 * image: browsers run nothing in it.
 */
export async function sendImage(content: ImageContent, request: Request, response: Response): Promise<void> {
  const { size, digest } = content;
  response.set({
    ETag: `"${digest}"`,
    'Accept-Ranges': 'bytes',
    // The content behind an id never changes.
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Disposition': 'inline',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
  });
  response.status(200);
  if (isHeld(request, digest)) {
    response.status(304).end();
    return;
  }
  const range = rangeOf(request, response, size);
  if (range === null) {
    response.removeHeader('ETag');
    response.set({ 'Content-Range': `bytes */${String(size)}`, 'Cache-Control': 'no-store' });
    response.status(416).end();
    return;
  }
  const { start, end } = range;
  if (end - start < size) {
    response.status(206).set('Content-Range', `bytes ${String(start)}-${String(end - 1)}/${String(size)}`);
  }
  response.set({ 'Content-Type': content.content_type, 'Content-Length': String(end - start) });
  if (request.method === 'HEAD') response.end();
  else await copy(content, range, response);
}

/**
 * Returns the range that the Range header requests, or null when it cannot be satisfied. Returns the whole content when
 * the header is absent, is malformed, requests several ranges or is conditional on other content.
 */
function rangeOf(request: Request, response: Response, size: number): ByteRange | null {
  const whole = { start: 0, end: size };
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== response.get('ETag')) return whole;
  const asked = request.range(size, { combine: true });
  if (asked === -1) return null;
  if (asked === undefined || asked === -2 || asked.type !== 'bytes') return whole;
  const [first, second] = asked;
  return first === undefined || second !== undefined ? whole : { start: first.start, end: first.end + 1 };
}

async function copy(content: ImageContent, { start, end }: ByteRange, response: Response): Promise<void> {
  try {
    await pipeline(content.read(start, end), response);
  } catch (error) {
    // The client disconnected; pipeline has closed the stream.
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
