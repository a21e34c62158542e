import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, hydrate, parseId, type RecordModel } from '@commerce/platform';

import { ImageRecord } from './image.record.js';

@Injectable()
export class ImageStore extends RecordStore<ImageRecord> {
  constructor(@InjectRecord(ImageRecord) model: RecordModel) {
    super(model, ImageRecord);
  }

  /** The image with this id, whichever company owns it: whoever knows the id may see the content. */
  async findInAnyCompany(id: string): Promise<ImageRecord | null> {
    const key = parseId(id);
    if (key === null) return null;
    const found = await this.model.collection.findOne({ _id: key });
    return found === null ? null : hydrate(ImageRecord, found);
  }
}
