import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AddSubProductsBody,
  CreateProductBody,
  ListProductsQuery,
  ProductReader,
  ProductRecord,
  Products,
  SearchProductsQuery,
  TaggedProductsQuery,
  UpdateProductBody,
} from '@commerce/catalog';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly, ApiKeyOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { InOneCommit } from '../http/idempotency/idempotency.notes.js';
import { Delete, Post, Put } from '../http/methods.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('products')
@Controller('products')
@InOneCommit()
export class ProductsController {
  constructor(
    private readonly products: Products,
    private readonly reader: ProductReader,
  ) {}

  @Describe(
    'Create a product',
    'A main product unless `main_product` is false. It is inactive until `active` is set, and only active products can be ordered.',
  )
  @Post()
  @AdminOnly()
  @Answers(ProductRecord)
  @Faults(
    'product.unknown',
    'product.not_a_sub_product',
    'product.has_no_sub_products',
    'image.unknown',
    'attribute.unknown',
    'tax.rate_missing',
    'amount.rounds_to_zero',
    'amount.too_precise',
    'amount.not_chargeable',
    'currency.unknown',
    'currency.unsupported',
    'value.too_large',
  )
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateProductBody) body: CreateProductBody,
  ): Promise<ProductRecord> {
    return this.products.create(caller, body);
  }

  @Describe(
    'List products',
    'The newest first. Where the company hides inactive products, they are listed for admins only. With `latitude` and `longitude`, the products that are offered at that place, the nearest first.',
  )
  @Get()
  @ApiKeyOnly()
  @Answers([ProductRecord])
  @Faults('role.forbidden')
  list(
    @Calling() caller: Caller,
    @QueryOf(ListProductsQuery) query: ListProductsQuery,
  ): Promise<Page<ProductRecord>> {
    return this.reader.list(caller, query);
  }

  @Describe(
    'Search products',
    'Finds `query` in names and descriptions, whatever its case, and as a whole among ids.',
  )
  @Get('search')
  @ApiKeyOnly()
  @Answers([ProductRecord])
  @Faults('role.forbidden')
  search(
    @Calling() caller: Caller,
    @QueryOf(SearchProductsQuery) query: SearchProductsQuery,
  ): Promise<Page<ProductRecord>> {
    return this.reader.search(caller, query);
  }

  @Describe('List products by tag', 'The products that have at least one of the given tags.')
  @Get('tags')
  @ApiKeyOnly()
  @Answers([ProductRecord])
  @Faults('role.forbidden')
  tagged(
    @Calling() caller: Caller,
    @QueryOf(TaggedProductsQuery) query: TaggedProductsQuery,
  ): Promise<Page<ProductRecord>> {
    return this.reader.tagged(caller, query);
  }

  @Describe(
    'Retrieve a product',
    'Deleted products are shown to admins only, and so are inactive ones where the company hides them.',
  )
  @Get(':id')
  @ApiKeyOnly()
  @Answers(ProductRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<ProductRecord> {
    return this.reader.get(caller, id);
  }

  @Describe(
    'Update a product',
    'Fields that are left out stay as they are; a list that is given replaces the one before.',
  )
  @Put(':id')
  @AdminOnly()
  @Answers(ProductRecord)
  @Faults(
    'product.unknown',
    'product.not_a_sub_product',
    'product.has_no_sub_products',
    'product.has_parents',
    'product.has_sub_products',
    'product.currency_in_use',
    'image.unknown',
    'attribute.unknown',
    'tax.rate_missing',
    'amount.rounds_to_zero',
    'amount.too_precise',
    'amount.not_chargeable',
    'currency.unknown',
    'currency.unsupported',
    'value.too_large',
  )
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateProductBody) body: UpdateProductBody,
  ): Promise<ProductRecord> {
    return this.products.update(caller, id, body);
  }

  @Describe(
    'Add sub-products',
    'Adds to the sub-products of a main product; those it has already stay. Both sides of each link change together.',
  )
  @Put(':id/sub_products')
  @AdminOnly()
  @Answers(ProductRecord)
  @Faults('product.unknown', 'product.not_a_sub_product', 'product.has_no_sub_products', 'value.too_large')
  addSubProducts(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(AddSubProductsBody) body: AddSubProductsBody,
  ): Promise<ProductRecord> {
    return this.products.addSubProducts(caller, id, body);
  }

  @Describe(
    'Delete a product',
    'The product keeps its record, with `deleted` set. Plans that hold it keep billing.',
  )
  @Delete(':id')
  @AdminOnly()
  @Answers(ProductRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<ProductRecord> {
    return this.products.delete(caller, id);
  }
}
