import { NotFoundException } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { mongo } from 'mongoose';

import type { ServiceRequest } from '../service-request.js';
import { faultOf } from './fault-of.js';
import { statusOf } from './statuses.js';

const request = {
  method: 'GET',
  path: '/nothing',
  app: { router: { stack: [] } },
} as unknown as ServiceRequest;

describe('Thrown values', () => {
  it.each<[string, unknown, string, number]>([
    ['a fault', fault('coupon.expired', 'It has ended'), 'coupon.expired', 422],
    [
      'a time limit that was hit',
      new mongo.MongoServerError({ code: 50, codeName: 'MaxTimeMSExpired', message: 'operation exceeded' }),
      'query.timeout',
      503,
    ],
    ['a lost connection', new mongo.MongoNetworkError('connection reset'), 'service.unavailable', 503],
    [
      'a pool that is full',
      new mongo.MongoServerSelectionError('none', {} as never),
      'service.unavailable',
      503,
    ],
    [
      'a primary that steps down',
      new mongo.MongoServerError({ code: 189, codeName: 'PrimarySteppedDown', errmsg: 'stepped down' }),
      'service.unavailable',
      503,
    ],
    ['no answer in time', new mongo.MongoNetworkTimeoutError('timed out'), 'query.timeout', 503],
    ['an unknown path', new NotFoundException(), 'path.not_found', 404],
    ['half an escape in a path', new URIError('URI malformed'), 'path.not_found', 404],
    ['a bug', new TypeError('x is not a function'), 'internal.error', 500],
    ['nothing', undefined, 'internal.error', 500],
  ])('become a fault: %s', (_what, thrown, code, status) => {
    const known = faultOf(thrown, request);
    expect([known.code, statusOf(known.code)]).toEqual([code, status]);
  });

  it('do not blame the query when a write ran out of time', () => {
    const expired = new mongo.MongoServerError({ code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'expired' });
    const write = { ...request, method: 'POST' } as ServiceRequest;
    for (const error of [expired, new mongo.MongoNetworkTimeoutError('timed out')])
      expect(faultOf(error, write).code).toBe('service.unavailable');
  });

  it("never reveal the driver's message", () => {
    const error = new mongo.MongoServerError({ code: 8000, message: 'user:secret@host failed' });
    expect(faultOf(error, request).message).not.toContain('secret');
  });
});
