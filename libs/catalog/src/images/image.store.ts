import { Inject, Injectable } from '@nestjs/common';
import { fieldFault, type Fault } from '@commerce/kernel';
import {
  CONFIG,
  InjectRecord,
  RecordStore,
  hydrate,
  parseId,
  type Config,
  type Id,
  type RecordModel,
  type UnitOfWork,
} from '@commerce/platform';
import type { mongo } from 'mongoose';

import { ImageRecord } from './image.record.js';

/** How much the images of a company take, their variants left out. */
interface Usage {
  readonly _id: Id;
  readonly bytes: number;
}

@Injectable()
export class ImageStore extends RecordStore<ImageRecord> {
  constructor(
    @InjectRecord(ImageRecord) model: RecordModel,
    @Inject(CONFIG) private readonly config: Pick<Config, 'images'>,
  ) {
    super(model, ImageRecord);
  }

  /** @throws Fault `image.quota_exceeded` when the company may keep no further image */
  async requireRoom(company: Id): Promise<void> {
    const { quotaBytes } = this.config.images;
    const used = await this.used(company);
    if (quotaBytes > 0 && used >= quotaBytes) throw overQuota(quotaBytes);
  }

  /** Counts an image of this size, in the commit that adds it; the commit fails when it is one too many. */
  count(work: UnitOfWork, size: number): void {
    const { quotaBytes } = this.config.images;
    const room = quotaBytes > 0 ? { bytes: { $lte: quotaBytes - size } } : {};
    work.also(async (session) => {
      const { matchedCount } = await this.usage.updateOne(
        { _id: work.company, ...room },
        { $inc: { bytes: size } },
        { session },
      );
      if (matchedCount === 0) throw overQuota(quotaBytes);
    });
  }

  /** Whoever adds an image has asked for this before, so that what there is already is counted, too. */
  private async used(company: Id): Promise<number> {
    const found = await this.usage.findOne({ _id: company });
    if (found !== null) return found.bytes;
    const [summed] = await this.model.aggregate<{ bytes: number }>([
      { $match: { company } },
      { $group: { _id: null, bytes: { $sum: '$size' } } },
    ]);
    const bytes = summed?.bytes ?? 0;
    await this.usage.updateOne({ _id: company }, { $setOnInsert: { bytes } }, { upsert: true });
    return bytes;
  }

  private get usage(): mongo.Collection<Usage> {
    return this.model.db.collection<Usage>('image_usage');
  }

  /** The image with this id, whichever company owns it: whoever knows the id may see the content. */
  async findInAnyCompany(id: string): Promise<ImageRecord | null> {
    const key = parseId(id);
    if (key === null) return null;
    const found = await this.model.collection.findOne({ _id: key });
    return found === null ? null : hydrate(ImageRecord, found);
  }
}

function overQuota(quotaBytes: number): Fault {
  const most = String(Math.floor(quotaBytes / 1_048_576));
  return fieldFault('file', `The images of a company may take at most ${most} MiB`, 'image.quota_exceeded');
}
