import { Inject, Injectable } from '@nestjs/common';
import { fieldFault, type Fault } from '@commerce/kernel';
import { CustomerUsageStore, RecordStore, RowCollection, type UnitOfWork } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import { BY_COMPANY, InjectRecord, hydrate, parseId, type Id, type RecordModel } from '@commerce/records';
import type { mongo } from 'mongoose';

import { ImageRecord } from './image.record.js';

/** Storage used by the images of a company, without their variants. */
interface Usage {
  readonly _id: Id;
  readonly company: Id;
  readonly bytes: number;
}

/** The uploader of an image; the user is null for an admin. */
export type Uploader = Pick<ImageRecord, 'company' | 'user'>;

const USAGE = new RowCollection<Usage>('image_usage', { sharding: BY_COMPANY });

/** Images, and the quota of each company. Those that a user uploads count in the quota of the user, too. */
@Injectable()
export class ImageStore extends RecordStore<ImageRecord> {
  /** In bytes; 0 means no limit. */
  private readonly most: number;

  constructor(
    @InjectRecord(ImageRecord) model: RecordModel,
    @Inject(CONFIG) config: Pick<Config, 'images'>,
    private readonly customers: CustomerUsageStore,
  ) {
    super(model, ImageRecord);
    this.most = config.images.quotaBytes;
  }

  /** @throws Fault `image.quota_exceeded`, `customer.quota_exceeded` when the company or the user may store no further image */
  async requireRoom({ company, user }: Uploader): Promise<void> {
    if (user !== null) await this.customers.requireRoom(company, user);
    const used = await this.used(company);
    if (this.most > 0 && used >= this.most) throw overQuota(this.most);
  }

  /** Counts an image of this size, in the commit that adds it; the commit fails when a quota is exceeded. */
  count(work: UnitOfWork, { _id, size }: Pick<ImageRecord, '_id' | 'size'>): void {
    const { company } = work;
    const room = this.most > 0 ? { bytes: { $lte: this.most - size } } : {};
    work.stores(_id, () => size);
    work.row({
      collection: USAGE.name,
      operation: {
        updateOne: { filter: { _id: company, company, ...room }, update: { $inc: { bytes: size } } },
      },
      missing: () => overQuota(this.most),
    });
  }

  /** Frees the quotas of an image, in the commit that deletes it. */
  async uncount(work: UnitOfWork, { _id, company, size }: ImageRecord): Promise<void> {
    await this.used(company);
    work.stores(_id, () => 0);
    work.row({
      collection: USAGE.name,
      operation: { updateOne: { filter: { _id: company, company }, update: { $inc: { bytes: -size } } } },
    });
  }

  /** The storage used, read before every change, so that images from before the quota are counted, too. */
  private async used(company: Id): Promise<number> {
    const found = await this.usage.findOne({ _id: company, company });
    if (found !== null) return found.bytes;
    const bytes = await this.sumOfSizes(company);
    await this.usage.updateOne({ _id: company, company }, { $setOnInsert: { bytes } }, { upsert: true });
    return bytes;
  }

  private async sumOfSizes(company: Id): Promise<number> {
    const [summed] = await this.model.aggregate<{ bytes: number }>([
      { $match: { company } },
      { $group: { _id: null, bytes: { $sum: '$size' } } },
    ]);
    return summed?.bytes ?? 0;
  }

  private get usage(): mongo.Collection<Usage> {
    return USAGE.in(this.model.db);
  }

  /** The image with this id, in any company: the content is shown to every caller who knows the id. */
  async findInAnyCompany(id: string): Promise<ImageRecord | null> {
    const key = parseId(id);
    if (key === null) return null;
    const found = await this.model.collection.findOne({ _id: key });
    const image = found === null ? null : hydrate(ImageRecord, found);
    return image?.deleted === false ? image : null;
  }
}

function overQuota(most: number): Fault {
  const limit = String(Math.floor(most / 1_048_576));
  const message = `The images of a company may take at most ${limit} MiB; deleting some makes room`;
  return fieldFault('file', message, 'image.quota_exceeded');
}
