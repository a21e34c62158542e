import type { Page, Total } from '@commerce/data';
import type { Response } from 'express';

/** Sets the headers that locate a page in its list: Link and, on request, X-Total-Count. */
export function setPageHeaders(page: Page<object>, originalUrl: string, response: Response): void {
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
export function pageLinks(page: Page<object>, originalUrl: string): string[] {
  const { page: at, after } = page.query;
  const last = lastPage(page);
  const url = new URL(originalUrl, 'http://host');
  const links = [link(url, 'first', { page: 0 })];
  if (after !== null) {
    const end: { _id?: { toHexString(): string } } | undefined = page.records.at(-1);
    if (page.hasMore && end?._id) links.push(link(url, 'next', { after: end._id.toHexString() }));
    return links;
  }
  if (at > 0) links.push(link(url, 'prev', { page: Math.min(at - 1, last ?? at) }));
  if (page.hasMore) links.push(link(url, 'next', { page: at + 1 }));
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
