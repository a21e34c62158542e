/** A page of a list, or of a search, in Stripe's API. */
export interface ListPage {
  readonly data: readonly unknown[];
  readonly url?: unknown;
  readonly has_more?: unknown;
}

/** The lists whose pages an import needs. */
const NEEDED = /\/(customers|products|prices|coupons|subscriptions)\b/;

export function isList(value: unknown): value is ListPage {
  return Array.isArray((value as Partial<ListPage> | null)?.data);
}

/** Whether the last page of each list is in an export. */
export class Pages {
  private readonly more = new Map<string, boolean>();
  private current: { readonly place: string; readonly members: Map<unknown, unknown> } | null = null;

  add({ url, has_more }: ListPage): void {
    const list = typeof url === 'string' ? url : 'objects';
    if (has_more !== undefined && (typeof url !== 'string' || NEEDED.test(url))) {
      this.more.set(list, has_more === true);
    }
  }

  /** Adds a page whose members are read one after the other: a member that it already has is that of the next page. */
  read(place: string, key: unknown, value: unknown): void {
    if (this.current?.place !== place || this.current.members.has(key)) {
      this.close();
      this.current = { place, members: new Map() };
    }
    this.current.members.set(key, value);
  }

  /** @throws Error that names the list whose last page is missing */
  requireLast(): void {
    this.close();
    for (const [list, more] of this.more) {
      if (more) {
        throw new Error(
          `its last list of ${list} says has_more: add the pages that follow, in their order, and start again`,
        );
      }
    }
  }

  private close(): void {
    if (this.current !== null) {
      const { members } = this.current;
      this.add({ data: [], url: members.get('url'), has_more: members.get('has_more') });
    }
    this.current = null;
  }
}
