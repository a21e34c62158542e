import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Id } from '@commerce/records';

/** Something that relies on the currency of products, such as plans. */
export interface ProductUsage {
  /** True while anything of it is priced by this product. */
  uses(company: Id, product: Id): Promise<boolean>;
}

/** Finds the usages among the providers of all modules. */
const PRODUCT_USAGES = DiscoveryService.createDecorator();

/** Marks a provider whose records are priced by products; to be listed in a module is all else that it needs. */
export function UsesProducts() {
  return (usage: Type<ProductUsage>): void => {
    PRODUCT_USAGES()(usage);
  };
}

/** All that is priced by products, as found among the providers of this process. */
@Injectable()
export class ProductUsages implements OnModuleInit {
  private usages: readonly ProductUsage[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const found = this.discovery.getProviders({ metadataKey: PRODUCT_USAGES.KEY });
    this.usages = found.map(({ instance }) => instance as ProductUsage);
  }

  async uses(company: Id, product: Id): Promise<boolean> {
    const answers = await Promise.all(this.usages.map((usage) => usage.uses(company, product)));
    return answers.includes(true);
  }
}
