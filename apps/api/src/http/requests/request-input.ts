import { fault } from '@commerce/kernel';
import { type Config } from '@commerce/platform';
import { parseBody, parseQuery, type RawQuery } from '@commerce/records';

import type { Body, RouteNotes } from '../route-notes.js';
import type { ServiceRequest } from '../service-request.js';
import { NEWEST, bodyFrom } from '../versions/versions.js';
import { readJson, type BodyLimits } from './json-body.js';

const KIB = 1024;

/** A class without fields: every given field is unknown. */
class Nothing {}

/**
 * Reads the body of an authorized request, up to the route's size limit, and refuses any body or query that the route
 * does not declare. Open routes, such as the customers' page, accept any query.
 */
export async function readInput(
  request: ServiceRequest,
  notes: Partial<RouteNotes>,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Promise<void> {
  const { access, body, query } = notes;
  if (query === undefined && access !== 'open') parseQuery(Nothing, request.query as RawQuery);
  if (!carriesBody(request)) return;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw fault('media_type.unsupported', 'Bodies are not decompressed: send them without Content-Encoding');
  }
  // A guard of the route reads the file.
  if (body?.kind === 'file') return;
  await readJson(request, limitsOf(body));
  if (request.body === undefined) return;
  const { version = NEWEST } = request;
  if (version !== NEWEST) {
    request.sentBody = request.body as unknown;
    request.body = bodyFrom(version, request.body, publicUrl);
  }
  if (body === undefined && access !== 'open') parseBody(Nothing, request.body);
}

/** A body of GET or HEAD has no meaning and stays unread. */
function carriesBody({ method, headers }: ServiceRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

/** Only lists of records, which admins send, may be large. */
function limitsOf(body: Body | undefined): BodyLimits {
  return body?.kind === 'list' ? { bytes: KIB * KIB, items: body.max } : { bytes: 100 * KIB };
}
