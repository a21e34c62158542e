import type { Page, Total } from '@commerce/data';
import type { Response } from 'express';

/** A page as its reply shows it. */
export interface ShownPage extends Page<object> {
  /** Whether the reply was full before all records of the page were in it. */
  readonly isCut?: boolean;
}

/** Sets the headers that locate a page in its list: Link and, on request, X-Total-Count. */
export function setPageHeaders(page: ShownPage, originalUrl: string, response: Response): void {
  setTotalHeaders(page.total, response);
  response.setHeader('Link', pageLinks(page, originalUrl).join(', '));
}

/** Sets the total count of a list, on request. */
export function setTotalHeaders(total: Total | null, response: Response): void {
  if (total === null) return;
  response.setHeader('X-Total-Count', String(total.count));
  if (total.capped) response.setHeader('X-Total-Count-Capped', 'true');
}

type Place = { readonly page: number } | { readonly after: string };

/** The links of RFC 8288: first and, if they exist and are known, prev, next and last. */
export function pageLinks(page: ShownPage, originalUrl: string): string[] {
  const { page: at, after } = page.query;
  const last = lastPage(page);
  const url = new URL(originalUrl, 'http://host');
  const links = [link(url, 'first', { page: 0 })];
  const end: { _id?: { toHexString(): string } } | undefined = page.records.at(-1);
  const following = end?._id === undefined ? [] : [link(url, 'next', { after: end._id.toHexString() })];
  if (after !== null) return page.hasMore ? [...links, ...following] : links;
  if (at > 0) links.push(link(url, 'prev', { page: Math.min(at - 1, last ?? at) }));
  // The next page by number would begin after records that this one left out.
  if (page.isCut === true) links.push(...following);
  else if (page.hasMore) links.push(link(url, 'next', { page: at + 1 }));
  if (last !== null) links.push(link(url, 'last', { page: last }));
  return links;
}

/** The number of the last page; null when the list was not counted to its end. */
function lastPage({ total, query }: Page<object>): number | null {
  return total === null || total.capped ? null : Math.max(0, Math.ceil(total.count / query.size) - 1);
}

function link({ pathname, search }: URL, rel: string, place: Place): string {
  const query = new URLSearchParams(search);
  query.delete('page' in place ? 'after' : 'page');
  for (const [name, value] of Object.entries(place)) query.set(name, String(value));
  return `<${pathname}?${query.toString()}>; rel="${rel}"`;
}
