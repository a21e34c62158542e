export { withArticle } from './fields/article.js';
export { type FieldInfo, type FieldKind, type FieldedClass, fieldsOf } from './fields/fields.js';
export { pack, unpack } from './fields/packed.js';
export { FREE_JSON_LIMITS, FreeJson } from './fields/free-json.js';
export { type Id, distinctIds, idAt, isId, isIdText, newId, parseId, randomId, sameId } from './fields/id.js';
export { ListOf, Nested, Numbers, Refs, Texts } from './fields/list-fields.js';
export { Amount, Decimal, Fraction, Integer } from './fields/number-fields.js';
export { isStorable } from './fields/storable.js';
export { Choice, Choices, Country, Currency, Email, LongText, Text } from './fields/text-fields.js';
export { AnyJson, Flag, Instant, InstantOr, Ref, Written } from './fields/value-fields.js';
export { createBody, fillsDefaults, parseBody, updateBody } from './parsing/body.js';
export type { Filter, PageQuery, Sort } from './parsing/page-query.js';
export {
  type ListParameters,
  type RawQuery,
  listQuery,
  pageOf,
  parseQuery,
  rangeOf,
  unsortedListQuery,
} from './parsing/query.js';
export { type ListIndex, type ListRules, listIndexes } from './record/list-index.js';
export { BY_COMPANY, BY_COMPANY_ID, BY_COMPANY_TEXT, type Sharding } from './record/sharding.js';
export { InjectRecord, type RecordModel, recordModels } from './record/models.js';
export {
  type FindOptions,
  type NewValues,
  OwnedRecord,
  RecordOf,
  type RecordOptions,
  type CountedSize,
  countedTypes,
  type RecordState,
  type RecordType,
  copyWith,
  dehydrate,
  hydrate,
  partHydrator,
  isDeleted,
  isRecord,
  makeRecord,
  namedIndex,
  optionsOf,
  recordTypeIn,
  recordTypeOf,
  sealed,
  sealedFields,
  shardingOf,
  sortsOf,
} from './record/record.js';
export { sampleRecord } from './record/sample.js';
export { render, renderObject } from './rendering/render.js';
export { replyJson } from './rendering/reply-json.js';
