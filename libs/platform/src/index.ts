export { jittered, random } from './time/random.js';
export { SystemClock } from './time/system-clock.js';
export { LookupCache } from './cache/lookup-cache.js';
export { CONFIG, type Config, type StripeAccount } from './config/config.js';
export { Log, addLogContext, withLogContext } from './observability/log.js';
export { Metrics } from './observability/metrics.js';
export { RedisClient } from './redis/redis-client.js';
export { createBody, fillsDefaults, parseBody, updateBody } from './records/fields/body.js';
export { EVENT, REPLY, render, renderObject } from './records/fields/dialects.js';
export { fieldsOf, type FieldInfo, type FieldedClass } from './records/fields/fields.js';
export { FREE_JSON_LIMITS, FreeJson } from './records/fields/free-json.js';
export { distinctIds, isIdText, idAt, newId, parseId, sameId, type Id } from './records/fields/id.js';
export { ListOf, Nested, Numbers, Refs, Texts } from './records/fields/list-fields.js';
export { Amount, Decimal, Fraction, Integer } from './records/fields/number-fields.js';
export { Choice, Currency, Email, LongText, Text } from './records/fields/text-fields.js';
export { AnyJson, Flag, Instant, Ref, Written } from './records/fields/value-fields.js';
export { ownerOnly, type Caller } from './records/caller.js';
export { withClaim, type ClaimSubject, type RequestClaim } from './records/claim.js';
export type { RowWrite } from './records/row-write.js';
export { DatabaseClock } from './records/database-clock.js';
export { Database, dropIndex } from './records/database.js';
export { databaseTrouble } from './records/database-trouble.js';
export { isDuplicate } from './records/duplicate.js';
export { InjectRecord, recordModels, type RecordModel } from './records/models.js';
export { OutboxSignal, outboxRow, type EventContent, type OutboxRow } from './records/outbox.js';
export {
  MAX_COUNTED,
  MAX_READ_MS,
  totalOf,
  type Page,
  type RecordStream,
  type Total,
} from './records/page.js';
export type { Filter, PageQuery } from './records/page-query.js';
export {
  listQuery,
  pageOf,
  parseQuery,
  unsortedListQuery,
  type ListParameters,
  type RawQuery,
} from './records/query.js';
export {
  OwnedRecord,
  RecordOf,
  copyWith,
  dehydrate,
  hydrate,
  isRecord,
  makeRecord,
  optionsOf,
  recordTypeOf,
  sealedFields,
  type NewValues,
  sortsOf,
  type RecordOptions,
} from './records/record.js';
export { retryOnConflict } from './records/retry-on-conflict.js';
export { SecretResealer, type SealedValue } from './records/secret-resealer.js';
export { sampleRecord } from './records/sample.js';
export { CompanyRecords, RecordStore } from './records/store.js';
export { walkById } from './records/walk-by-id.js';
export { inTransaction } from './records/transaction.js';
export { groupByCompany, groupById, inBatches } from './records/batches.js';
export { engineOf, type Engine, type EngineName } from './records/engine.js';
export { recordsAt } from './records/records-at.js';
export { dueWorkOf, type DueWork } from './records/due-work.js';
export { ANY_DATE, ANY_ID, ANY_TEXT, dueBy } from './records/set-values.js';
export { TakenNames } from './records/taken-names.js';
export {
  AUDIT_ACTIONS,
  AUDIT_COLLECTION,
  nameActor,
  nameRequest,
  withActor,
  withActorUnknown,
  type AuditAction,
} from './records/trail.js';
export { UnitOfWork, type Shown } from './records/unit-of-work.js';
export { UnitsOfWork, type Change, type Decide } from './records/units-of-work.js';
export { Handles, Sweeps } from './jobs/handles.js';
export { JobQueue, type JobRequest } from './jobs/job-queue.js';
export { QueueReader } from './jobs/queue-reader.js';
export { JobWorkersModule } from './jobs/job-workers.module.js';
export { JobExplorer, type Sweep } from './jobs/job-explorer.js';
export { JobWorkers } from './jobs/job-workers.js';
export { declareJob, readIds, type Job } from './jobs/job.js';
export { Sealer, openField } from './secrets/sealer.js';
export { rateLimited, type RateLimit } from './limits/rate-limited.js';
export { RateLimiter } from './limits/rate-limiter.js';
export { RoundRobin } from './limits/round-robin.js';
export { TurnScheduler, type ReservedTurns } from './limits/turn-scheduler.js';
export { GuardedHttpClient } from './http-client/guarded-http-client.js';
export { HttpClientModule } from './http-client/http-client.module.js';
export type { SendResult } from './http-client/send-result.js';
export { STYLED_IN_PLACE, pagePolicy } from './process/page-policy.js';
export { START_OPTIONS, runProcess } from './process/process.js';
export { startOrExplain } from './process/shutdown.js';
export { PlatformModule } from './platform.module.js';
