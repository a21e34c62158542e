import { Injectable } from '@nestjs/common';
import { ANY_DATE, RecordStore } from '@commerce/data';
import { InjectRecord, type Id, type RecordModel } from '@commerce/records';

import { TemplateRecord, type TemplateModel } from './template.record.js';

/** A deleted template whose values records may still have. */
export interface TemplateWithValues {
  readonly _id: Id;
  readonly company: Id;
  readonly unset_until: Date;
}

@Injectable()
export class TemplateStore extends RecordStore<TemplateRecord> {
  constructor(@InjectRecord(TemplateRecord) model: RecordModel) {
    super(model, TemplateRecord);
  }

  /** The current template of a model. */
  async current(company: Id, model: TemplateModel): Promise<TemplateRecord | null> {
    return this.in(company).one({ company, model, deleted: false });
  }

  /** Deleted templates of all companies whose values are not all removed yet. */
  async withValuesToRemove(most: number): Promise<TemplateWithValues[]> {
    return this.model.collection
      .find<TemplateWithValues>({ unset_until: ANY_DATE })
      .project<TemplateWithValues>({ company: 1, unset_until: 1 })
      .limit(most)
      .toArray();
  }

  /** Marks the values of a template as removed. */
  async valuesRemoved({ _id, company }: TemplateWithValues): Promise<void> {
    await this.model.collection.updateOne(
      { _id, company },
      { $set: { unset_until: null }, $inc: { 'sys.version': 1 } },
    );
  }
}
