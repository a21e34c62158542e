import { sortsOf, ListOf, createBody, listQuery, updateBody } from '@commerce/records';

import { GivenAttribute, MAX_ATTRIBUTES, NewAttribute } from './attribute.js';
import { TemplateRecord } from './template.record.js';

export class CreateTemplateBody extends createBody(TemplateRecord, ['name', 'model']) {
  @ListOf(() => NewAttribute, {
    default: () => [],
    max: MAX_ATTRIBUTES,
    description: 'the typed values that the records can have',
  })
  attributes: NewAttribute[];
}

/** Omitted fields are unchanged; a list of attributes holds all existing ones, and may add others. */
export class UpdateTemplateBody extends updateBody(TemplateRecord, ['name']) {
  @ListOf(() => GivenAttribute, {
    default: () => [],
    max: MAX_ATTRIBUTES,
    description: 'the existing attributes, each with its human_id, and new ones without',
  })
  attributes?: GivenAttribute[];
}

/** Without dates it shows the templates of the last and the next 15 days. */
export class ListTemplatesQuery extends listQuery({
  sortable: sortsOf(TemplateRecord),
  dates: ['created', 'modified'],
}) {}
