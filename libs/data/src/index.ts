export { DataModule } from './data.module.js';
export { groupByCompany, groupById, inBatches } from './reading/batches.js';
export { type Caller, ownerOnly } from './reading/caller.js';
export { type DueWork, countUpTo, dueWorkOf } from './reading/due-work.js';
export {
  type EngineName,
  byDistance,
  engineOf,
  type PlaceQuery,
  type PlaceReader,
  type PlacedId,
} from './reading/engine.js';
export {
  MAX_COUNTED,
  MAX_READ_MS,
  type Page,
  type RecordStream,
  type Total,
  totalOf,
} from './reading/page.js';
export { DatabaseSizeReader } from './reading/database-size-reader.js';
export { findWhole } from './reading/read-whole.js';
export { ANY_DATE, ANY_ID, ANY_TEXT, dueBy } from './reading/set-values.js';
export { LeasedRows } from './leases/leased-rows.js';
export { type Lease, Leases } from './leases/leases.js';
export { walkById } from './reading/walk-by-id.js';
export { DatabaseClock } from './server/database-clock.js';
export { databaseTrouble } from './server/database-trouble.js';
export { Database } from './server/database.js';
export { isDuplicate } from './server/duplicate.js';
export type { BatchLoader } from './reading/batch-loader.js';
export { RowCollection } from './server/row-collection.js';
export { inTransaction } from './server/transaction.js';
export { type CollectionPlan, Sharder, type ShardingPlan } from './sharding/sharder.js';
export { type Sought, foundByIds, newestFirst, soughtBy } from './searching/sought.js';
export { WORDS_INDEX, foundByWords } from './searching/word-search.js';
export { wordsOf } from './searching/words.js';
export { recordsAt } from './stores/records-at.js';
export { CompanyRecords, RecordStore } from './stores/store.js';
export {
  IDEMPOTENCY_KEYS,
  type ReservationSubject,
  type RequestReservation,
  withReservation,
} from './writing/reservation.js';
export { type EventContent, type OutboxRow, OutboxSignal, outboxRow } from './writing/outbox.js';
export { insertEvents } from './writing/pending-writes.js';
export { CustomerUsageStore, type Quota } from './writing/customer-usage.store.js';
export { retryOnConflict } from './writing/retry-on-conflict.js';
export type { RowWrite } from './writing/row-write.js';
export { type SealedValue, SecretResealer } from './writing/secret-resealer.js';
export { UniqueNames } from './writing/unique-names.js';
export {
  AUDIT_ACTIONS,
  AUDIT_COLLECTION,
  type AuditAction,
  nameActor,
  nameRequest,
  withActor,
  withActorUnknown,
} from './writing/audit-log.js';
export { type Shown, UnitOfWork } from './writing/unit-of-work.js';
export { type Change, type Decide, UnitsOfWork } from './writing/units-of-work.js';
