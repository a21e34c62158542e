import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { UnitsOfWork, type Caller } from '@commerce/data';

import { ImageContentStore } from '../images/image-content.store.js';
import type { ImageRecord } from '../images/image.record.js';
import { ImageStore } from '../images/image.store.js';
import { ProductStore } from '../products/product.store.js';
import { ResourceStore } from '../resources/resource.store.js';

/** Deletes images: users delete their own uploads, admins all of the company's images. */
@Injectable()
export class ImageRemover {
  constructor(
    private readonly store: ImageStore,
    private readonly contents: ImageContentStore,
    private readonly products: ProductStore,
    private readonly resources: ResourceStore,
    private readonly units: UnitsOfWork,
  ) {}

  /**
   * Marks the image as deleted and frees its quota in one commit, then removes its content.
   * @throws Fault `image.in_use` while a product or a resource that is not deleted shows the image, and once invoices do
   */
  async delete(caller: Caller, id: string): Promise<ImageRecord> {
    const deleted = await this.units.change(this.store.for(caller), id, async (before, work) => {
      await this.requireUnused(before);
      await this.store.uncount(work, before);
      this.contents.release(work, before._id);
      return { changes: { deleted: true } };
    });
    await this.contents.drop(deleted);
    return deleted;
  }

  private async requireUnused(image: ImageRecord): Promise<void> {
    if (image.on_invoices) throw fault('image.in_use', 'Invoices show this image as the logo of the seller');
    const [byProduct, byResource] = await Promise.all([
      this.products.showsImage(image),
      this.resources.showsImage(image),
    ]);
    if (!byProduct && !byResource) return;
    const user = byProduct ? 'product' : 'resource';
    throw fault('image.in_use', `A ${user} shows this image; give it another image first, or none`);
  }
}
