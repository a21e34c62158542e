import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AssetResource,
  CreateResourceBody,
  ListResourcesQuery,
  MAX_BULK,
  ResourceRecord,
  shownResource,
  Resources,
  SearchResourcesQuery,
  UpdateResourceBody,
} from '@commerce/catalog';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers, Describe, Faults, variants } from '../http/answers.js';
import { Delete, Post, Put } from '../http/methods.js';
import { InOneCommit } from '../http/idempotency/idempotency.notes.js';
import { BodyOf, Calling, Id, ListBodyOf, QueryOf } from '../http/params.js';

/** Only retail items have prices and sub-products. */
const RESOURCE = variants('Resource', 'method', { asset: AssetResource, retail: ResourceRecord });

@ApiTags('resources')
@Controller('resources')
@InOneCommit(shownResource)
export class ResourcesController {
  constructor(private readonly resources: Resources) {}

  @Describe(
    'Create a resource',
    'An asset unless `method` is `retail`. A retail item names a product, and gets its prices from it and its sub-products. What a user creates is its own.',
  )
  @Post()
  @UserOrAdmin()
  @Answers(RESOURCE)
  @Faults(
    'user.unknown',
    'user.not_yourself',
    'product.unknown',
    'product.parent_required',
    'product.not_a_sub_product',
    'product.currency_differs',
    'image.unknown',
    'resource.status_reserved',
    'amount.invalid',
  )
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateResourceBody) body: CreateResourceBody,
  ): Promise<ResourceRecord> {
    return this.resources.create(caller, body);
  }

  @Describe(
    'Create many resources',
    'All of the list or, if anything is wrong with any item, none of it; `errors` names each bad item by its index.',
  )
  @Post('bulk')
  @AdminOnly()
  @Answers([RESOURCE])
  @Faults(
    'user.unknown',
    'product.unknown',
    'product.parent_required',
    'product.not_a_sub_product',
    'product.currency_differs',
    'image.unknown',
    'amount.invalid',
  )
  createMany(
    @Calling() caller: Caller,
    @ListBodyOf(CreateResourceBody, MAX_BULK) items: unknown,
  ): Promise<ResourceRecord[]> {
    return this.resources.createMany(caller, items);
  }

  @Describe('List resources', 'The newest first. Users see their own resources only.')
  @Get()
  @UserOrAdmin()
  @Answers([RESOURCE])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListResourcesQuery) query: ListResourcesQuery,
  ): Promise<Page<ResourceRecord>> {
    return this.resources.list(caller, query);
  }

  @Describe(
    'Search resources',
    'Finds `query` in names, reference ids, descriptions and image addresses, whatever its case, and as a whole among ids.',
  )
  @Get('search')
  @UserOrAdmin()
  @Answers([RESOURCE])
  search(
    @Calling() caller: Caller,
    @QueryOf(SearchResourcesQuery) query: SearchResourcesQuery,
  ): Promise<Page<ResourceRecord>> {
    return this.resources.search(caller, query);
  }

  @Describe('Retrieve a resource', 'Deleted resources are shown to admins only.')
  @Get(':id')
  @UserOrAdmin()
  @Answers(RESOURCE)
  get(@Calling() caller: Caller, @Id() id: string): Promise<ResourceRecord> {
    return this.resources.get(caller, id);
  }

  @Describe(
    'Update a resource',
    'Fields that are left out stay as they are. An asset remains an asset, and a retail item a retail item.',
  )
  @Put(':id')
  @UserOrAdmin()
  @Answers(RESOURCE)
  @Faults(
    'user.unknown',
    'user.not_yourself',
    'product.unknown',
    'product.parent_required',
    'product.not_a_sub_product',
    'product.currency_differs',
    'image.unknown',
    'resource.status_reserved',
    'amount.invalid',
  )
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateResourceBody) body: UpdateResourceBody,
  ): Promise<ResourceRecord> {
    return this.resources.update(caller, id, body);
  }

  @Describe('Delete a resource', 'The resource keeps its record, with `deleted` set.')
  @Delete(':id')
  @AdminOnly()
  @Answers(RESOURCE)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<ResourceRecord> {
    return this.resources.delete(caller, id);
  }
}
