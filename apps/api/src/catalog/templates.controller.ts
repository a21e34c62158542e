import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateTemplateBody,
  ListTemplatesQuery,
  TemplateRecord,
  Templates,
  UpdateTemplateBody,
} from '@commerce/catalog';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly, CustomerMay, UserOrAdmin } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { InOneCommit } from '../http/idempotency/idempotency.notes.js';
import { Delete, Post, Put } from '../http/methods.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('templates')
@Controller('templates')
@InOneCommit()
export class TemplatesController {
  constructor(private readonly templates: Templates) {}

  @Describe(
    'Create a template',
    'Gives typed attributes to all records of a model. Each model has one template.',
  )
  @Post()
  @AdminOnly()
  @Answers(TemplateRecord)
  @Faults('template.model_taken', 'attribute.repeated')
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateTemplateBody) body: CreateTemplateBody,
  ): Promise<TemplateRecord> {
    return this.templates.create(caller, body);
  }

  @Describe(
    'List templates',
    'Those created from 15 days ago to 15 days from now, unless `from_date` and `to_date` say otherwise.',
  )
  @Get()
  @AdminOnly()
  @Answers([TemplateRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListTemplatesQuery) query: ListTemplatesQuery,
  ): Promise<Page<TemplateRecord>> {
    return this.templates.list(caller, query);
  }

  @Describe('Retrieve a template', 'Deleted templates are shown too, with `deleted` set.')
  @Get(':id')
  @AdminOnly()
  @Answers(TemplateRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<TemplateRecord> {
    return this.templates.get(caller, id);
  }

  @Describe(
    'Update a template',
    'Renames it or adds attributes. Attributes that exist are sent with their `human_id`; they cannot change or be removed.',
  )
  @Put(':id')
  @UserOrAdmin()
  @CustomerMay('templates')
  @Answers(TemplateRecord)
  @Faults(
    'customer.not_allowed',
    'attribute.unknown',
    'attribute.key_fixed',
    'attribute.kind_fixed',
    'attribute.missing',
    'attribute.repeated',
  )
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateTemplateBody) body: UpdateTemplateBody,
  ): Promise<TemplateRecord> {
    return this.templates.update(caller, id, body);
  }

  @Describe('Delete a template', 'Removes the values of its attributes from all records of the model.')
  @Delete(':id')
  @AdminOnly()
  @Answers(TemplateRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<TemplateRecord> {
    return this.templates.delete(caller, id);
  }
}
