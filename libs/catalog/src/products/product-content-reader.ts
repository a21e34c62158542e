import { Injectable } from '@nestjs/common';
import { Companies, requireRateOf } from '@commerce/identity';
import type { ProductTaxCategory } from '@commerce/kernel';
import type { FreeJson, Id } from '@commerce/records';

import { ImageStore } from '../images/image.store.js';
import { checkValues, isEmptyValues } from '../templates/attribute-values.js';
import { TemplateStore } from '../templates/template.store.js';
import { imagesIn, picturesOf } from './product-pictures.js';
import type { ProductRecord } from './product.record.js';

type Pictured = Parameters<typeof picturesOf>[0];

/** Reads the records to which the body of a product refers. */
@Injectable()
export class ProductContentReader {
  constructor(
    private readonly images: ImageStore,
    private readonly templates: TemplateStore,
    private readonly companies: Companies,
  ) {}

  /**
   * Checks that the company knows a rate for the category that a body gives.
   * @throws Fault `tax.rate_missing`
   */
  async requireRate(company: Id, tax_category: ProductTaxCategory | undefined): Promise<void> {
    if (tax_category !== undefined) requireRateOf(await this.companies.get(company), tax_category);
  }

  /** The image and the media of a body. */
  async pictures(company: Id, body: Pictured): Promise<ReturnType<typeof picturesOf>> {
    return picturesOf(body, await this.images.in(company).byIds(imagesIn(body)));
  }

  /** Checks the attribute values of a body against the current template. */
  async valued(
    company: Id,
    attributes: FreeJson | undefined,
  ): Promise<Partial<Pick<ProductRecord, 'attributes' | 'template'>>> {
    if (attributes === undefined) return {};
    if (isEmptyValues(attributes)) return { attributes, template: null };
    const template = await this.templates.current(company, 'Product');
    checkValues(attributes, template?.attributes ?? []);
    return { attributes, template: template?._id ?? null };
  }
}
