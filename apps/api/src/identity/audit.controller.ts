import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditEntries, AuditEntryRecord, ListAuditEntriesQuery } from '@commerce/identity';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe } from '../http/answers.js';
import { Calling, QueryOf } from '../http/params.js';

@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly entries: AuditEntries) {}

  @Describe(
    'List the audit trail',
    'Every change that an admin or the operator made, the newest first: who, with which credential, what and when. Values are not shown. Entries are kept for 400 days.',
  )
  @Get()
  @AdminOnly()
  @Answers([AuditEntryRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListAuditEntriesQuery) query: ListAuditEntriesQuery,
  ): Promise<Page<AuditEntryRecord>> {
    return this.entries.list(caller, query);
  }
}
