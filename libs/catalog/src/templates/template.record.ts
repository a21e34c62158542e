import { ANY_DATE } from '@commerce/data';
import { Choice, Flag, Instant, ListOf, OwnedRecord, RecordOf, Text } from '@commerce/records';

import { Attribute, MAX_ATTRIBUTES } from './attribute.js';

export const TEMPLATE_MODELS = ['Product'] as const;
export type TemplateModel = (typeof TEMPLATE_MODELS)[number];

/** The additional attributes of all records of a model. */
@RecordOf({
  collection: 'templates',
  noun: 'template',
  cls: 'Template',
  touched: 'modified',
  deleted: 'deleted',
  auditsUsers: true,
  counted: ['name', 'attributes'],
  list: { sorts: ['created', 'modified', 'name'] },
  indexes: [
    { fields: { unset_until: 1 }, options: { partialFilterExpression: { unset_until: ANY_DATE } } },
    { fields: { company: 1, model: 1 } },
  ],
})
export class TemplateRecord extends OwnedRecord {
  @Text({ min: 1, description: 'name for people' })
  name: string;

  @Choice(TEMPLATE_MODELS, { fold: 'none', description: 'the kind of record that the attributes are for' })
  model: TemplateModel;

  @ListOf(() => Attribute, { max: MAX_ATTRIBUTES, description: 'the typed values that the records can have' })
  attributes: Attribute[];

  @Flag({ default: false })
  deleted: boolean;

  /** Date until which records may still get values of this deleted template; null when all are removed. */
  @Instant({ hidden: true, optional: true })
  unset_until: Date | null;

  @Instant({ last: true })
  modified: Date;
}
