import type { Request } from 'express';

/**
 * Reports whether the caller's copy of the content is current. Express's `fresh` does not fit: it obeys `Cache-Control:
 * no-cache`, which fetch() adds to every request with an If-None-Match and which only asks caches to revalidate.
 */
export function isHeld(request: Request, digest: string): boolean {
  const held = request.headers['if-none-match'];
  if (held === undefined) return false;
  return held
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === `"${digest}"`);
}
