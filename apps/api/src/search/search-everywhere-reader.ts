import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { soughtBy, type Caller } from '@commerce/data';

import type { SearchReply } from './search.dto.js';
import { SEARCHED_KINDS, type Search } from './searched-kinds.js';

/** Records of one kind in the results. */
const PER_KIND = 6;

/** Looks for a text in the records of every kind concurrently. */
@Injectable()
export class SearchEverywhereReader {
  constructor(private readonly providers: ModuleRef) {}

  async find({ company }: Caller, query: string): Promise<SearchReply> {
    const search: Search = {
      ...{ company, sought: soughtBy(query), limit: PER_KIND },
      get: (type) => this.providers.get(type, { strict: false }),
    };
    return { results: (await Promise.all(SEARCHED_KINDS.map((find) => find(search)))).flat() };
  }
}
