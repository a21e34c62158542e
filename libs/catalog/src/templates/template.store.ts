import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, type Id, type RecordModel } from '@commerce/platform';

import { TemplateRecord, type TemplateModel } from './template.record.js';

/** A deleted template of which records may still have values. */
export interface LeavingTemplate {
  readonly _id: Id;
  readonly company: Id;
  readonly unset_until: Date;
}

@Injectable()
export class TemplateStore extends RecordStore<TemplateRecord> {
  constructor(@InjectRecord(TemplateRecord) model: RecordModel) {
    super(model, TemplateRecord);
  }

  /** The template that holds for a model now. */
  async current(company: Id, model: TemplateModel): Promise<TemplateRecord | null> {
    return this.in(company).one({ company, model, deleted: false });
  }

  /** Deleted templates whose values are still to be looked for, of all companies. */
  async leaving(most: number): Promise<LeavingTemplate[]> {
    return this.model.collection
      .find<LeavingTemplate>({ unset_until: { $gt: new Date(0) } })
      .project<LeavingTemplate>({ company: 1, unset_until: 1 })
      .limit(most)
      .toArray();
  }

  async left({ _id, company }: LeavingTemplate): Promise<void> {
    await this.model.collection.updateOne(
      { _id, company },
      { $set: { unset_until: null }, $inc: { 'sys.version': 1 } },
    );
  }
}
