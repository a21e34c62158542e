import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreateKeyBody, CredentialRecord, Keys, ListKeysQuery, RollKeyBody } from '@commerce/identity';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { Delete, Post } from '../http/methods.js';
import { ResumedBy, ShowsSecret } from '../http/idempotency/idempotency.notes.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('keys')
@Controller('keys')
export class KeysController {
  constructor(private readonly keys: Keys) {}

  @Describe(
    'Create a key',
    'A key that ends with the service key that makes it: it is revoked with it, and expires no later. Only this reply shows `key`.',
  )
  @Post()
  @ResumedBy('reissue')
  @ShowsSecret()
  @AdminOnly()
  @Answers(CredentialRecord)
  @Faults('key.too_many')
  create(@Calling() caller: Caller, @BodyOf(CreateKeyBody) body: CreateKeyBody): Promise<CredentialRecord> {
    return this.keys.make(caller, body);
  }

  @Describe('List keys', 'The newest first, revoked and expired ones too, without their secrets.')
  @Get()
  @AdminOnly()
  @Answers([CredentialRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListKeysQuery) query: ListKeysQuery,
  ): Promise<Page<CredentialRecord>> {
    return this.keys.list(caller, query);
  }

  @Describe('Retrieve a key', 'Without its secret: of that the service keeps a hash only.')
  @Get(':id')
  @AdminOnly()
  @Answers(CredentialRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<CredentialRecord> {
    return this.keys.get(caller, id);
  }

  @Describe(
    'Roll a key',
    'Makes its successor: of the same kind, with the same maker and expiry. Keys that it made end with the successor from now on. The rolled key stops working at once, or at `expires`. A service key can roll API keys, itself and the keys that end with it. Only this reply shows `key`.',
  )
  @Post(':id/roll')
  @ResumedBy('reissueSuccessor')
  @ShowsSecret()
  @AdminOnly()
  @Answers(CredentialRecord)
  @Faults('key.roll_forbidden', 'key.state_conflict', 'key.too_many')
  roll(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(RollKeyBody) body: RollKeyBody,
  ): Promise<CredentialRecord> {
    return this.keys.roll(caller, id, body);
  }

  @Describe(
    'Revoke a key',
    'It stops working for good, and so do the keys that it made, those that they made, and so on: within five seconds nothing accepts them. A key may revoke itself.',
  )
  @Delete(':id')
  @ResumedBy('get')
  @AdminOnly()
  @Answers(CredentialRecord)
  delete(@Calling() { company }: Caller, @Id() id: string): Promise<CredentialRecord> {
    return this.keys.revoke(company, id);
  }

  /** Replies to the repetition of a request that made a key and died before its reply. */
  reissue(caller: Caller, id: string): Promise<CredentialRecord> {
    return this.keys.reissue(caller, id);
  }

  reissueSuccessor(caller: Caller, id: string): Promise<CredentialRecord> {
    return this.keys.reissueSuccessor(caller, id);
  }
}
