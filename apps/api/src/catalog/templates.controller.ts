import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateTemplateBody,
  ListTemplatesQuery,
  TemplateRecord,
  Templates,
  UpdateTemplateBody,
} from '@commerce/catalog';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('templates')
@Controller('templates')
export class TemplatesController {
  constructor(private readonly templates: Templates) {}

  @Post()
  @AdminOnly()
  @Answers(TemplateRecord)
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateTemplateBody) body: CreateTemplateBody,
  ): Promise<TemplateRecord> {
    return this.templates.create(caller, body);
  }

  @Get()
  @AdminOnly()
  @Answers([TemplateRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListTemplatesQuery) query: ListTemplatesQuery,
  ): Promise<Page<TemplateRecord>> {
    return this.templates.list(caller, query);
  }

  @Get(':id')
  @AdminOnly()
  @Answers(TemplateRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<TemplateRecord> {
    return this.templates.get(caller, id);
  }

  @Put(':id')
  @UserOrAdmin()
  @Answers(TemplateRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateTemplateBody) body: UpdateTemplateBody,
  ): Promise<TemplateRecord> {
    return this.templates.update(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  @Answers(TemplateRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<TemplateRecord> {
    return this.templates.delete(caller, id);
  }
}
