import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe } from '../http/answers.js';
import { Calling, QueryOf } from '../http/params.js';
import { SearchEverywhereReader } from './search-everywhere-reader.js';
import { SearchQuery, SearchReply } from './search.dto.js';

@ApiTags('search')
@Controller('search')
export class SearchController {
  constructor(private readonly reader: SearchEverywhereReader) {}

  @Describe(
    'Search everywhere',
    'Up to six records of each kind that the query means: users, subscriptions, orders, payments, invoices, plans, products, coupons and webhooks, without deleted ones. Case and accents do not matter in names of users and plans.',
  )
  @Get()
  @AdminOnly()
  @Answers(SearchReply)
  search(@Calling() caller: Caller, @QueryOf(SearchQuery) { query }: SearchQuery): Promise<SearchReply> {
    return this.reader.find(caller, query);
  }
}
