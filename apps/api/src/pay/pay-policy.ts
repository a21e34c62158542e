import type { ClientLibrary } from '@commerce/payments';

/** Permits only the page's own files and the provider's library to be loaded, framed or called. */
export function contentPolicy(nonce: string, library: ClientLibrary | null): string {
  const script = library === null ? [] : [new URL(library.script).origin, `'nonce-${nonce}'`];
  const frame = library?.frame ?? [];
  return [
    "default-src 'none'",
    ['script-src', "'self'", ...script].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...(library?.connect ?? [])].join(' '),
    ['frame-src', ...(frame.length > 0 ? frame : ["'none'"])].join(' '),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
