import { mongo } from 'mongoose';

import { TransactionTimeout, databaseTrouble, isTransactionConflict } from './database-trouble.js';

function refused(code: number, codeName: string, errorLabels: string[] = []): mongo.MongoServerError {
  return new mongo.MongoServerError({ code, codeName, errmsg: codeName, errorLabels });
}

function bulkError(cause: Error): mongo.MongoBulkWriteError {
  return new mongo.MongoBulkWriteError(cause, {} as never);
}

describe('Trouble of the database', () => {
  it.each([
    'RetryableWriteError',
    'TransientTransactionError',
    'UnknownTransactionCommitResult',
    'PoolRequestedRetry',
    'ResetPool',
    'RetryableError',
    'SystemOverloadedError',
  ])('passes by itself where an error is labelled %s', (label) => {
    expect(databaseTrouble(refused(1, 'InternalError', [label]))).toBe('away');
  });

  it.each([
    [91, 'ShutdownInProgress'],
    [133, 'FailedToSatisfyReadPreference'],
    [13_388, 'StaleConfig'],
    [189, 'PrimarySteppedDown'],
    [10_107, 'NotWritablePrimary'],
    [11_600, 'InterruptedAtShutdown'],
    [11_602, 'InterruptedDueToReplStateChange'],
    [13_435, 'NotPrimaryNoSecondaryOk'],
    [13_436, 'NotPrimaryOrSecondary'],
    [14_031, 'OutOfDiskSpace'],
    [24, 'LockTimeout'],
    [50_463_173, 'the database system is starting up'],
    [1, 'error connecting to server: Connection refused (os error 111)'],
    [1, 'error communicating with the server: Connection reset by peer (os error 104)'],
    [1, 'connection closed'],
  ])('passes by itself where a call without a label is refused with %d, %s', (code, name) => {
    expect(databaseTrouble(refused(code, name))).toBe('away');
  });

  it.each<[string, unknown]>([
    ['a lost connection', new mongo.MongoNetworkError('reset')],
    ['a socket that broke while it was written to', Object.assign(new Error('ended'), { code: 'EPIPE' })],
    ['no server', new mongo.MongoServerSelectionError('none', {} as never)],
    ['a client that is closed', new mongo.MongoNotConnectedError('closed')],
    ['a bulk write without a server', bulkError(new mongo.MongoServerSelectionError('none', {} as never))],
  ])('passes by itself after %s', (_what, error) => {
    expect(databaseTrouble(error)).toBe('away');
  });

  it('is a slow query where the server says so', () => {
    expect(databaseTrouble(refused(50, 'MaxTimeMSExpired'))).toBe('slow');
  });

  it.each<[string, unknown]>([
    ['a call', new mongo.MongoNetworkTimeoutError('timed out')],
    ['a transaction', new TransactionTimeout('not committed')],
  ])('is silence where %s had no answer in time', (_what, error) => {
    expect(databaseTrouble(error)).toBe('silent');
  });

  it.each<[string, unknown]>([
    ['a duplicate', refused(11_000, 'DuplicateKey')],
    ['a query that is wrong', refused(2, 'BadValue')],
    ['a fault of the server', refused(1, 'InternalError')],
    ['a document that is not valid', refused(121, 'DocumentValidationFailure')],
    ['a bug', new TypeError('x is not a function')],
    ['nothing', undefined],
  ])('is none in %s', (_what, error) => {
    expect(databaseTrouble(error)).toBeNull();
  });
});

describe('A conflict of transactions', () => {
  it.each<[number, string, string[]]>([
    [1, 'labelled', ['TransientTransactionError']],
    [112, 'WriteConflict', []],
    [251, 'NoSuchTransaction', []],
    [16_777_220, 'ConflictingOperationInProgress', []],
    [1, 'tuple concurrently updated', []],
  ])('is known by its label, its code or its words: %d, %s', (code, name, labels) => {
    expect(isTransactionConflict(refused(code, name, labels))).toBe(true);
  });

  it('is neither a duplicate nor an error of ours', () => {
    expect(isTransactionConflict(refused(11000, 'DuplicateKey'))).toBe(false);
    expect(isTransactionConflict(new Error('WriteConflict'))).toBe(false);
  });
});
