import { providerMark } from '@commerce/platform';
import type { Id } from '@commerce/records';

/** Records that rely on the currency of products, such as plans. */
export interface ProductUsage {
  /** True while a record is priced by this product. */
  uses(company: Id, product: Id): Promise<boolean>;
}

/** Marks a provider whose records are priced by products. */
export const UsesProducts = providerMark<ProductUsage>();
