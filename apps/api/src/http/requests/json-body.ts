import { fault, type Fault } from '@commerce/kernel';

import type { ServiceRequest } from '../service-request.js';
import { checkJson } from './json-check.js';

const TYPES = ['application/json', 'application/*+json'];

/** The body sizes that a route accepts. */
export interface BodyLimits {
  readonly bytes: number;
  /** The most elements of a top-level list; unlimited when the route takes no list. */
  readonly items?: number;
}

/**
 * Reads a JSON body and keeps its bytes. Refuses a body beyond the limits, or with values that no field may hold,
 * before any other code reads it.
 * @throws Fault `body.too_large`, `body.malformed`, `body.invalid`, `media_type.unsupported` or `value.invalid`
 */
export async function readJson(request: ServiceRequest, limits: BodyLimits): Promise<void> {
  if (request.is(TYPES) === false) {
    throw fault('media_type.unsupported', 'Bodies must be sent as application/json');
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw fault('media_type.unsupported', 'Bodies must be JSON in UTF-8');
  }
  const bytes = await bytesOf(request, limits.bytes);
  request.rawBody = bytes;
  // A chunked body may be empty.
  if (bytes.length === 0) return;
  const body = parsed(bytes);
  if (Array.isArray(body) && body.length > (limits.items ?? Infinity)) throw tooLong(limits.items);
  checkJson(body);
  request.body = body;
}

/** Reads to the end even beyond the limit, which keeps the connection usable, but then discards the bytes. */
function bytesOf(request: ServiceRequest, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (request.destroyed) throw brokenOff();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      reject(tooLarge(limit));
    });
    request.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    const fail = (): void => {
      if (!request.readableEnded) reject(brokenOff());
    };
    request.once('error', fail).once('close', fail);
  });
}

const UTF8 = new TextDecoder();

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch {
    throw fault('body.malformed', 'The body is not well-formed JSON');
  }
}

function tooLarge(limit: number): Fault {
  return fault('body.too_large', `The body is larger than this route accepts: ${String(limit / 1024)} KiB`);
}

function tooLong(items = 0): Fault {
  const message = `The body must be a list of at most ${String(items)} elements`;
  return fault('body.invalid', message, { errors: [{ path: '', code: 'body.invalid', message }] });
}

function brokenOff(): Fault {
  return fault('body.malformed', 'The body broke off');
}
