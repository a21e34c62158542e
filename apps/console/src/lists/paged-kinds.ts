/** The kinds of records that have a page of their own. */
const PAGED = ['users', 'orders'] as const;

export function hasPage(kind: string): boolean {
  return (PAGED as readonly string[]).includes(kind);
}
