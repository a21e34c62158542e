import { mongo } from 'mongoose';

/** Labels that the driver and the server give to errors that pass by themselves. */
const PASSING_LABELS = [
  mongo.MongoErrorLabel.RetryableWriteError,
  mongo.MongoErrorLabel.TransientTransactionError,
  mongo.MongoErrorLabel.UnknownTransactionCommitResult,
  mongo.MongoErrorLabel.PoolRequestedRetry,
  mongo.MongoErrorLabel.ResetPool,
  mongo.MongoErrorLabel.RetryableError,
  mongo.MongoErrorLabel.SystemOverloadedError,
];

/** Errors of the driver itself: no server, no connection, no answer. */
const PASSING_ERRORS = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoServerClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoWriteConcernError,
];

/** Two more of them, which the driver keeps to itself. */
const PASSING_NAMES: ReadonlySet<string> = new Set(['MongoWaitQueueTimeoutError', 'MongoPoolClosedError']);

/**
 * Refusals of a node that steps down, starts or shuts down, of one whose disk is full, and of a mongos that does not
 * reach a shard or finds documents moving to another. The server labels them for retryable writes only: a read, and a
 * write of many documents, carries the bare code.
 */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  46, // LockBusy
  63, // StaleShardVersion
  70, // ShardNotFound
  89, // NetworkTimeout
  90, // CallbackCanceled
  91, // ShutdownInProgress
  117, // ConflictingOperationInProgress
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  145, // PooledConnectionsDropped
  150, // StaleEpoch
  175, // QueryPlanKilled
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  246, // SnapshotUnavailable
  249, // StaleDbVersion
  250, // StaleChunkHistory
  262, // ExceededTimeLimit
  272, // MigrationConflict
  281, // TransactionCoordinatorSteppingDown
  317, // ConnectionPoolExpired
  9001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_601, // Interrupted
  11_602, // InterruptedDueToReplStateChange
  13_388, // StaleConfig
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
  50_463_173, // DocumentDB, whose PostgreSQL starts or shuts down
]);

const MAX_TIME_EXPIRED = 50;

/** DocumentDB reports under this code, among other errors, that it does not reach its PostgreSQL. */
const INTERNAL_ERROR = 1;
const UNREACHED = /^(error (connecting to|communicating with) (the )?server|connection closed)/;

/** Conflicts of transactions, for servers that do not label them: DocumentDB. */
const CONFLICT_CODES: ReadonlySet<unknown> = new Set([
  112, // WriteConflict
  251, // NoSuchTransaction
  16_777_220, // a serialization failure of PostgreSQL
]);

/** DocumentDB reports in these words of PostgreSQL that two processes change the indexes of a collection. */
const CONFLICT_WORDS = /tuple concurrently (updated|deleted)/;

/** Whether a transaction was undone because it met another one, so that it can be run again. */
export function isTransactionConflict(error: unknown): boolean {
  if (!(error instanceof mongo.MongoError)) return false;
  return (
    error.hasErrorLabel(mongo.MongoErrorLabel.TransientTransactionError) ||
    CONFLICT_CODES.has(error.code) ||
    CONFLICT_WORDS.test(error.message)
  );
}

/** A transaction was not committed in time. */
export class TransactionTimeout extends Error {
  override readonly name = 'TransactionTimeout';
}

/**
 * `slow`: the server gave up a call at its time limit. `silent`: no answer came in time. `away`: it cannot be reached,
 * or cannot take the call right now. Whoever asks again may succeed.
 */
export type DatabaseTrouble = 'slow' | 'silent' | 'away';

/** The state of the database that an error reports; null for an error of another origin. */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  if (error instanceof TransactionTimeout) return 'silent';
  if (!(error instanceof mongo.MongoError)) return isBrokenSocket(error) ? 'away' : null;
  const wrapped = wrappedIn(error);
  if (wrapped !== null) return databaseTrouble(wrapped);
  if (error.code === MAX_TIME_EXPIRED) return 'slow';
  if (error instanceof mongo.MongoNetworkTimeoutError) return 'silent';
  const passes =
    PASSING_LABELS.some((label) => error.hasErrorLabel(label)) ||
    PASSING_ERRORS.some((type) => error instanceof type) ||
    PASSING_NAMES.has(error.name) ||
    PASSING_CODES.has(error.code) ||
    (error.code === INTERNAL_ERROR && UNREACHED.test(error.message));
  return passes ? 'away' : null;
}

/** The error of the driver that ended a bulk write; null for any other error. */
function wrappedIn(error: mongo.MongoError): Error | null {
  if (!(error instanceof mongo.MongoBulkWriteError)) return null;
  const cause: unknown = error.errorResponse;
  return cause instanceof Error ? cause : null;
}

/** Errors that the driver does not wrap when the server hangs up while a call is being written. */
function isBrokenSocket(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED';
}
