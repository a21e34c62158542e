import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreditRecord, Credits, GrantCreditBody, ListCreditsQuery } from '@commerce/payments';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { InOneCommit } from '../http/idempotency/idempotency.notes.js';
import { Post } from '../http/methods.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('users')
@Controller('users/:id/credits')
export class CreditsController {
  constructor(private readonly credits: Credits) {}

  @Describe(
    'Change the balance of a user',
    'Adds credit, from which the next charges of the subscriptions of the user take before the card. A negative amount takes back, never more than the balance holds.',
  )
  @Post()
  @AdminOnly()
  @InOneCommit()
  @Answers(CreditRecord)
  @Faults('balance.too_small', 'amount.invalid', 'amount.too_precise', 'currency.unknown')
  grant(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(GrantCreditBody) body: GrantCreditBody,
  ): Promise<CreditRecord> {
    return this.credits.grant(caller, id, body);
  }

  @Describe(
    'List the credits of a user',
    'The ledger of the balance: each entry is a change of it, the newest first. Users may list their own.',
  )
  @Get()
  @UserOrAdmin()
  @Answers([CreditRecord])
  list(
    @Calling() caller: Caller,
    @Id() id: string,
    @QueryOf(ListCreditsQuery) query: ListCreditsQuery,
  ): Promise<Page<CreditRecord>> {
    return this.credits.list(caller, id, query);
  }
}
