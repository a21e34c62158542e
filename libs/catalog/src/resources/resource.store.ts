import { Injectable } from '@nestjs/common';
import { RecordStore } from '@commerce/data';
import { InjectRecord, type RecordModel } from '@commerce/records';

import type { ImageRecord } from '../images/image.record.js';
import { ResourceRecord } from './resource.record.js';

@Injectable()
export class ResourceStore extends RecordStore<ResourceRecord> {
  constructor(@InjectRecord(ResourceRecord) model: RecordModel) {
    super(model, ResourceRecord);
  }

  /** Whether a resource that is not deleted shows an image. */
  async showsImage({ _id, company }: Pick<ImageRecord, '_id' | 'company'>): Promise<boolean> {
    return (await this.in(company).one({ company, 'image._id': _id, deleted: false })) !== null;
  }
}
