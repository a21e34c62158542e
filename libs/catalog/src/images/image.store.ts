import { Inject, Injectable } from '@nestjs/common';
import { fieldFault, type Fault } from '@commerce/kernel';
import { RecordStore, RowCollection, type UnitOfWork } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import { BY_COMPANY, InjectRecord, hydrate, parseId, type Id, type RecordModel } from '@commerce/records';
import type { mongo } from 'mongoose';

import { ImageRecord } from './image.record.js';

/** Storage used by the images of a company or of a user, without their variants. */
interface Usage {
  readonly _id: Id;
  readonly company: Id;
  readonly bytes: number;
}

/** The uploader of an image; the user is null for an admin. */
export type Uploader = Pick<ImageRecord, 'company' | 'user'>;

/** One of the two quotas of an image. */
interface Quota {
  /** The company or the user. */
  readonly owner: Id;
  readonly of: 'company' | 'user';
  /** 0 means no limit. */
  readonly most: number;
}

const USAGE = new RowCollection<Usage>('image_usage', { sharding: BY_COMPANY });

@Injectable()
export class ImageStore extends RecordStore<ImageRecord> {
  constructor(
    @InjectRecord(ImageRecord) model: RecordModel,
    @Inject(CONFIG) private readonly config: Pick<Config, 'images'>,
  ) {
    super(model, ImageRecord);
  }

  /** @throws Fault `image.quota_exceeded` when the company or the user may store no further image */
  async requireRoom(uploader: Uploader): Promise<void> {
    for (const quota of this.quotasOf(uploader)) {
      const used = await this.used(uploader.company, quota);
      if (quota.most > 0 && used >= quota.most) throw overQuota(quota);
    }
  }

  /** Counts an image of this size, in the commit that adds it; the commit fails when the quota is exceeded. */
  count(work: UnitOfWork, { user, size }: Pick<ImageRecord, 'user' | 'size'>): void {
    const { company } = work;
    const quotas = this.quotasOf({ company, user });
    work.also(async (session) => {
      for (const quota of quotas) {
        const room = quota.most > 0 ? { bytes: { $lte: quota.most - size } } : {};
        const found = { _id: quota.owner, company, ...room };
        const { matchedCount } = await this.usage.updateOne(found, { $inc: { bytes: size } }, { session });
        if (matchedCount === 0) throw overQuota(quota);
      }
    });
  }

  /** Frees the quota of an image, in the commit that deletes it. */
  async uncount(work: UnitOfWork, image: ImageRecord): Promise<void> {
    const quotas = this.quotasOf(image);
    for (const quota of quotas) await this.used(image.company, quota);
    work.also(async (session) => {
      for (const { owner } of quotas)
        await this.usage.updateOne(
          { _id: owner, company: image.company },
          { $inc: { bytes: -image.size } },
          { session },
        );
    });
  }

  private quotasOf({ company, user }: Uploader): Quota[] {
    const { quotaBytes, userQuotaBytes } = this.config.images;
    const ofCompany: Quota = { owner: company, of: 'company', most: quotaBytes };
    return user === null ? [ofCompany] : [ofCompany, { owner: user, of: 'user', most: userQuotaBytes }];
  }

  /** The storage used, read before every change, so that images from before the quota are counted, too. */
  private async used(company: Id, { owner: _id, of }: Quota): Promise<number> {
    const found = await this.usage.findOne({ _id, company });
    if (found !== null) return found.bytes;
    const bytes = of === 'user' ? 0 : await this.sumOfSizes(company);
    await this.usage.updateOne({ _id, company }, { $setOnInsert: { bytes } }, { upsert: true });
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

function overQuota({ of, most }: Quota): Fault {
  const limit = String(Math.floor(most / 1_048_576));
  const message = `The images of a ${of} may take at most ${limit} MiB; deleting some makes room`;
  return fieldFault('file', message, 'image.quota_exceeded');
}
