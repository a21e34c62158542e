import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AddSubProductsBody,
  CreateProductBody,
  ListProductsQuery,
  ProductRecord,
  Products,
  SearchProductsQuery,
  TaggedProductsQuery,
  UpdateProductBody,
} from '@commerce/catalog';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly, ApiKeyOnly } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('products')
@Controller('products')
export class ProductsController {
  constructor(private readonly products: Products) {}

  @Post()
  @AdminOnly()
  @Answers(ProductRecord)
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateProductBody) body: CreateProductBody,
  ): Promise<ProductRecord> {
    return this.products.create(caller, body);
  }

  @Get()
  @ApiKeyOnly()
  @Answers([ProductRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListProductsQuery) query: ListProductsQuery,
  ): Promise<Page<ProductRecord>> {
    return this.products.list(caller, query);
  }

  @Get('search')
  @ApiKeyOnly()
  @Answers([ProductRecord])
  search(
    @Calling() caller: Caller,
    @QueryOf(SearchProductsQuery) query: SearchProductsQuery,
  ): Promise<Page<ProductRecord>> {
    return this.products.search(caller, query);
  }

  @Get('tags')
  @ApiKeyOnly()
  @Answers([ProductRecord])
  tagged(
    @Calling() caller: Caller,
    @QueryOf(TaggedProductsQuery) query: TaggedProductsQuery,
  ): Promise<Page<ProductRecord>> {
    return this.products.tagged(caller, query);
  }

  @Get(':id')
  @ApiKeyOnly()
  @Answers(ProductRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<ProductRecord> {
    return this.products.get(caller, id);
  }

  @Put(':id')
  @AdminOnly()
  @Answers(ProductRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateProductBody) body: UpdateProductBody,
  ): Promise<ProductRecord> {
    return this.products.update(caller, id, body);
  }

  @Put(':id/sub_products')
  @AdminOnly()
  @Answers(ProductRecord)
  addSubProducts(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(AddSubProductsBody) body: AddSubProductsBody,
  ): Promise<ProductRecord> {
    return this.products.addSubProducts(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  @Answers(ProductRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<ProductRecord> {
    return this.products.delete(caller, id);
  }
}
