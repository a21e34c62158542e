/** The addresses of a MongoDB URI, which may be several, and its database. */
const PARTS = /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?([^?]*)(.*)$/;

/** The URI of another database on the same servers. */
export function withDatabase(uri: string, name: string): string {
  return uri.replace(PARTS, `$1/${name}$3`);
}

export function databaseIn(uri: string): string {
  return PARTS.exec(uri)?.[2] ?? '';
}

/** The same URI with one more option. */
export function withOption(uri: string, option: string): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${option}`;
}
