import { Images } from '@commerce/catalog';
import { Sweeps, type Sweep } from '@commerce/platform';

/** Finds uploads of images that were cut off before their record was written. */
@Sweeps('image-uploads')
export class ImageUploadsSweep implements Sweep {
  constructor(private readonly images: Images) {}

  async run(): Promise<void> {
    await this.images.sweep();
  }
}
