import { unusedMembers } from './unused-members.js';

/** Called by a name that the compiler cannot trace. */
const CALLED_BY_NAME = [
  // Read as the `code` of a caught error.
  'libs/platform/src/http-client/exchange.ts: Abandoned.code',
  // Read by the spec, through a cast.
  'libs/platform/src/http-client/origin-pools.ts: OriginPools.size',
  // Called by JSON.stringify.
  'libs/records/src/fields/free-json.ts: FreeJson.toJSON',
  // Called through @ResumedBy.
  'apps/api/src/billing/plan-changes.controller.ts: PlanChangesController.resumeChange',
  'apps/api/src/billing/subscriptions.controller.ts: SubscriptionsController.resumeStart',
  'apps/api/src/identity/keys.controller.ts: KeysController.reissue',
  'apps/api/src/identity/keys.controller.ts: KeysController.reissueSuccessor',
  'apps/api/src/orders/orders.controller.ts: OrdersController.resume',
];

describe('Dead code', () => {
  // knip finds unused exports, but not unused members of classes.
  it('is not in classes: something refers to each of their members', () => {
    expect(unusedMembers(['libs', 'apps', 'tools'])).toEqual(CALLED_BY_NAME);
  }, 240_000);
});
