import { type Page } from '@commerce/data';
import { newId, type PageQuery } from '@commerce/records';

import { pageLinks } from './page-links.js';

const query = (values: Partial<PageQuery>): PageQuery => ({
  size: 2,
  page: 0,
  after: null,
  sort: { field: 'created', direction: -1 },
  filter: {},
  total: false,
  ...values,
});

const records = [{ _id: newId() }, { _id: newId() }];
const end = records[1]!._id.toHexString();

const counted = (count: number, values: Partial<PageQuery>, hasMore: boolean): Page<object> => ({
  records,
  query: query(values),
  hasMore,
  total: { count, capped: false },
});

const links = (page: Page<object>, url = '/products?size=2'): Record<string, string> =>
  Object.fromEntries(
    pageLinks(page, url).map((text) => {
      const [, target, rel] = /^<(.*)>; rel="(.*)"$/.exec(text)!;
      return [rel!, target!];
    }),
  );

describe('The links of a page', () => {
  it('of a counted list lead to its first, neighbouring and last pages', () => {
    expect(links(counted(7, { page: 1 }, true), '/products?size=2&page=1&active=true')).toEqual({
      first: '/products?size=2&page=0&active=true',
      prev: '/products?size=2&page=0&active=true',
      next: '/products?size=2&page=2&active=true',
      last: '/products?size=2&page=3&active=true',
    });
    expect(links(counted(2, {}, false))).toEqual({
      first: '/products?size=2&page=0',
      last: '/products?size=2&page=0',
    });
  });

  it('beyond the end lead back to the last page', () => {
    expect(links({ ...counted(3, { page: 900 }, false), records: [] })['prev']).toBe(
      '/products?size=2&page=1',
    );
  });

  it('of a list that was counted to 10,000 only name no last page', () => {
    const page = { ...counted(10_000, { page: 3 }, true), total: { count: 10_000, capped: true } };
    expect(Object.keys(links(page))).toEqual(['first', 'prev', 'next']);
  });

  it('of a list that was not counted name no last page', () => {
    expect(links({ records, total: null, hasMore: true, query: query({ page: 3 }) })).toEqual({
      first: '/products?size=2&page=0',
      prev: '/products?size=2&page=2',
      next: '/products?size=2&page=4',
    });
    expect(links({ records, total: null, hasMore: false, query: query({}) })).toEqual({
      first: '/products?size=2&page=0',
    });
  });

  it('of a page that was cut lead to the first record that it left out', () => {
    const cut = { ...counted(9, { page: 1 }, true), isCut: true };
    expect(links(cut, '/products?size=2&page=1')).toEqual({
      first: '/products?size=2&page=0',
      prev: '/products?size=2&page=0',
      next: `/products?size=2&after=${end}`,
      last: '/products?size=2&page=4',
    });
  });

  it('go on after a record', () => {
    const after = query({ after: newId() });
    const url = '/products?size=2&page=4&after=x';
    expect(links(counted(9, after, true), url)).toEqual({
      first: '/products?size=2&page=0',
      next: `/products?size=2&after=${end}`,
    });
    expect(links({ records, total: null, hasMore: false, query: after }, url)['next']).toBeUndefined();
    expect(links({ records, total: null, hasMore: true, query: after }, url)['next']).toBe(
      `/products?size=2&after=${end}`,
    );
  });
});
