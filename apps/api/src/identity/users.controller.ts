import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateUserBody,
  DeleteUserQuery,
  ListUsersQuery,
  Tokens,
  UpdateUserBody,
  UserDeleter,
  UserRecord,
  Users,
  type AccessToken,
} from '@commerce/identity';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { InOneCommit, InSeveralCommits } from '../http/idempotency/idempotency.notes.js';
import { Delete, Post, PostReading, Put } from '../http/methods.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';
import { AccessTokenReply } from './identity.replies.js';

@ApiTags('users')
@Controller('users')
@InOneCommit()
export class UsersController {
  constructor(
    private readonly users: Users,
    private readonly deleter: UserDeleter,
    private readonly tokens: Tokens,
  ) {}

  @Describe(
    'Create a user',
    'An end customer. With `test_clock`, the user and all that is its own live in the time of that clock.',
  )
  @Post()
  @AdminOnly()
  @Answers(UserRecord)
  @Faults(
    'user.email_taken',
    'test_clock.unknown',
    'test_clock.test_mode_only',
    'timezone.unknown',
    'vat_id.invalid',
  )
  create(@Calling() caller: Caller, @BodyOf(CreateUserBody) body: CreateUserBody): Promise<UserRecord> {
    return this.users.create(caller, body);
  }

  @Describe('List users', 'The newest first.')
  @Get()
  @AdminOnly()
  @Answers([UserRecord])
  list(@Calling() caller: Caller, @QueryOf(ListUsersQuery) query: ListUsersQuery): Promise<Page<UserRecord>> {
    return this.users.list(caller, query);
  }

  @Describe('Retrieve a user', 'Users may retrieve themselves; deleted users are shown to admins only.')
  @Get(':id')
  @UserOrAdmin()
  @Answers(UserRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<UserRecord> {
    return this.users.get(caller, id);
  }

  @Describe(
    'Update a user',
    'Fields that are left out stay as they are. Users may update themselves, but never change `metadata`, and change `email` and `external_reference` only where the company allows it.',
  )
  @Put(':id')
  @UserOrAdmin()
  @Answers(UserRecord)
  @Faults('user.email_taken', 'user.field_reserved', 'timezone.unknown', 'vat_id.invalid')
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateUserBody) body: UpdateUserBody,
  ): Promise<UserRecord> {
    return this.users.update(caller, id, body);
  }

  @Describe(
    'Delete a user',
    'The user keeps its record, with `deleted` set; its tokens stop working and its email can be used again. Refused while subscriptions of the user run, unless `stop` is true: each is then stopped as by a stop without a date, and what is owed or prorated is settled as usual.',
  )
  @Delete(':id')
  @InSeveralCommits()
  @AdminOnly()
  @Answers(UserRecord)
  @Faults('user.in_use')
  delete(
    @Calling() caller: Caller,
    @Id() id: string,
    @QueryOf(DeleteUserQuery) query: DeleteUserQuery,
  ): Promise<UserRecord> {
    return this.deleter.delete(caller, id, query);
  }

  @Describe('Create a user token', 'A token by which the user calls, valid for 15 minutes.')
  @PostReading(':id/tokens')
  @AdminOnly()
  @Answers(AccessTokenReply)
  token(@Calling() caller: Caller, @Id() id: string): Promise<AccessToken> {
    return this.tokens.issueTo(caller.company, id);
  }
}
