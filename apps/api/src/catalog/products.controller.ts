import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AddSubProductsBody,
  CreateProductBody,
  Products,
  UpdateProductBody,
  type ProductRecord,
} from '@commerce/catalog';
import type { Caller, Page, RawQuery } from '@commerce/platform';

import { AdminOnly, ApiKeyOnly } from '../http/access.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('products')
@Controller('products')
export class ProductsController {
  constructor(private readonly products: Products) {}

  @Post()
  @AdminOnly()
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateProductBody) body: CreateProductBody,
  ): Promise<ProductRecord> {
    return this.products.create(caller, body);
  }

  @Get()
  @ApiKeyOnly()
  list(@Calling() caller: Caller, @QueryOf() query: RawQuery): Promise<Page<ProductRecord>> {
    return this.products.list(caller, query);
  }

  @Get('search')
  @ApiKeyOnly()
  search(@Calling() caller: Caller, @QueryOf() query: RawQuery): Promise<Page<ProductRecord>> {
    return this.products.search(caller, query);
  }

  @Get('tags')
  @ApiKeyOnly()
  tagged(@Calling() caller: Caller, @QueryOf() query: RawQuery): Promise<Page<ProductRecord>> {
    return this.products.tagged(caller, query);
  }

  @Get(':id')
  @ApiKeyOnly()
  get(@Calling() caller: Caller, @Id() id: string): Promise<ProductRecord> {
    return this.products.get(caller, id);
  }

  @Put(':id')
  @AdminOnly()
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateProductBody) body: UpdateProductBody,
  ): Promise<ProductRecord> {
    return this.products.update(caller, id, body);
  }

  @Put(':id/sub_products')
  @AdminOnly()
  addSubProducts(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(AddSubProductsBody) body: AddSubProductsBody,
  ): Promise<ProductRecord> {
    return this.products.addSubProducts(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  delete(@Calling() caller: Caller, @Id() id: string): Promise<ProductRecord> {
    return this.products.delete(caller, id);
  }
}
