import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import {
  CreateResourceBody,
  ListResourcesQuery,
  ResourceRecord,
  Resources,
  SearchResourcesQuery,
  UpdateResourceBody,
} from '@commerce/catalog';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('resources')
@Controller('resources')
export class ResourcesController {
  constructor(private readonly resources: Resources) {}

  @Post()
  @UserOrAdmin()
  @Answers(ResourceRecord)
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateResourceBody) body: CreateResourceBody,
  ): Promise<ResourceRecord> {
    return this.resources.create(caller, body);
  }

  @Post('bulk')
  @AdminOnly()
  @ApiBody({ type: [CreateResourceBody] })
  @Answers([ResourceRecord])
  createMany(@Calling() caller: Caller, @Body() items: unknown): Promise<ResourceRecord[]> {
    return this.resources.createMany(caller, items);
  }

  @Get()
  @UserOrAdmin()
  @Answers([ResourceRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListResourcesQuery) query: ListResourcesQuery,
  ): Promise<Page<ResourceRecord>> {
    return this.resources.list(caller, query);
  }

  @Get('search')
  @UserOrAdmin()
  @Answers([ResourceRecord])
  search(
    @Calling() caller: Caller,
    @QueryOf(SearchResourcesQuery) query: SearchResourcesQuery,
  ): Promise<Page<ResourceRecord>> {
    return this.resources.search(caller, query);
  }

  @Get(':id')
  @UserOrAdmin()
  @Answers(ResourceRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<ResourceRecord> {
    return this.resources.get(caller, id);
  }

  @Put(':id')
  @UserOrAdmin()
  @Answers(ResourceRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateResourceBody) body: UpdateResourceBody,
  ): Promise<ResourceRecord> {
    return this.resources.update(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  @Answers(ResourceRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<ResourceRecord> {
    return this.resources.delete(caller, id);
  }
}
