import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { FindsRecords, soughtBy, type Caller, type FoundRecord } from '@commerce/data';

import type { FoundReply, SearchReply } from './search.dto.js';

/** Records of one kind in the results. */
const PER_KIND = 6;

const NOTHING = {
  ...{ human_id: null, name: null, email: null, code: null, number: null, user: null },
  ...{ plan: null, status: null, amount: null, currency: null },
} as const;

/** Looks for a text in the records of every kind concurrently. */
@Injectable()
export class SearchEverywhereReader {
  constructor(private readonly discovery: DiscoveryService) {}

  async find({ company }: Caller, query: string): Promise<SearchReply> {
    const sought = soughtBy(query);
    const finders = [...FindsRecords.in(this.discovery)].sort((a, b) => a.place - b.place);
    const found = await Promise.all(finders.map((finder) => finder.find(company, sought, PER_KIND)));
    return { results: found.flat().map(replyOf) };
  }
}

function replyOf(record: FoundRecord): FoundReply {
  return { ...NOTHING, ...record } as FoundReply;
}
