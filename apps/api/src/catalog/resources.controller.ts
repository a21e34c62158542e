import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { CreateResourceBody, Resources, UpdateResourceBody, type ResourceRecord } from '@commerce/catalog';
import type { Caller, Page, RawQuery } from '@commerce/platform';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('resources')
@Controller('resources')
export class ResourcesController {
  constructor(private readonly resources: Resources) {}

  @Post()
  @UserOrAdmin()
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateResourceBody) body: CreateResourceBody,
  ): Promise<ResourceRecord> {
    return this.resources.create(caller, body);
  }

  @Post('bulk')
  @AdminOnly()
  @ApiBody({ type: [CreateResourceBody] })
  createMany(@Calling() caller: Caller, @Body() items: unknown): Promise<ResourceRecord[]> {
    return this.resources.createMany(caller, items);
  }

  @Get()
  @UserOrAdmin()
  list(@Calling() caller: Caller, @QueryOf() query: RawQuery): Promise<Page<ResourceRecord>> {
    return this.resources.list(caller, query);
  }

  @Get('search')
  @UserOrAdmin()
  search(@Calling() caller: Caller, @QueryOf() query: RawQuery): Promise<Page<ResourceRecord>> {
    return this.resources.search(caller, query);
  }

  @Get(':id')
  @UserOrAdmin()
  get(@Calling() caller: Caller, @Id() id: string): Promise<ResourceRecord> {
    return this.resources.get(caller, id);
  }

  @Put(':id')
  @UserOrAdmin()
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateResourceBody) body: UpdateResourceBody,
  ): Promise<ResourceRecord> {
    return this.resources.update(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  delete(@Calling() caller: Caller, @Id() id: string): Promise<ResourceRecord> {
    return this.resources.delete(caller, id);
  }
}
