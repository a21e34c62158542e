import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateUserBody,
  ListUsersQuery,
  Tokens,
  UpdateUserBody,
  UserRecord,
  Users,
  type AccessToken,
} from '@commerce/identity';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(
    private readonly users: Users,
    private readonly tokens: Tokens,
  ) {}

  @Post()
  @AdminOnly()
  @Answers(UserRecord)
  create(@Calling() caller: Caller, @BodyOf(CreateUserBody) body: CreateUserBody): Promise<UserRecord> {
    return this.users.create(caller, body);
  }

  @Get()
  @AdminOnly()
  @Answers([UserRecord])
  list(@Calling() caller: Caller, @QueryOf(ListUsersQuery) query: ListUsersQuery): Promise<Page<UserRecord>> {
    return this.users.list(caller, query);
  }

  @Get(':id')
  @UserOrAdmin()
  @Answers(UserRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<UserRecord> {
    return this.users.get(caller, id);
  }

  @Put(':id')
  @UserOrAdmin()
  @Answers(UserRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateUserBody) body: UpdateUserBody,
  ): Promise<UserRecord> {
    return this.users.update(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  @Answers(UserRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<UserRecord> {
    return this.users.delete(caller, id);
  }

  @Post(':id/tokens')
  @AdminOnly()
  token(@Calling() caller: Caller, @Id() id: string): Promise<AccessToken> {
    return this.tokens.issueTo(caller.company, id);
  }
}
