import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, hydrate, parseId, type RecordModel } from '@commerce/platform';

import { ImageRecord } from './image.record.js';

@Injectable()
export class ImageStore extends RecordStore<ImageRecord> {
  constructor(@InjectRecord(ImageRecord) model: RecordModel) {
    super(model, ImageRecord);
  }

  /** The image with this id, whoever owns it: who knows the id may see the content. */
  async anyones(id: string): Promise<ImageRecord | null> {
    const key = parseId(id);
    if (key === null) return null;
    const found = await this.model.collection.findOne({ _id: key });
    return found === null ? null : hydrate(ImageRecord, found);
  }
}
