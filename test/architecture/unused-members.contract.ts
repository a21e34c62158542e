import { unusedMembers } from './unused-members.js';

/** Called by a name that the compiler cannot follow. */
const CALLED_BY_NAME = [
  // Read as the `code` of whatever was thrown.
  'libs/platform/src/http-client/exchange.ts: GivenUp.code',
  // Read by the spec, through a cast.
  'libs/platform/src/http-client/origin-pools.ts: OriginPools.size',
  // JSON.stringify calls it.
  'libs/records/src/fields/free-json.ts: FreeJson.toJSON',
  // @ResumedBy
  'apps/api/src/identity/keys.controller.ts: KeysController.reissue',
  'apps/api/src/identity/keys.controller.ts: KeysController.reissueSuccessor',
  'apps/api/src/orders/orders.controller.ts: OrdersController.resume',
];

describe('Dead code', () => {
  // knip finds what is exported and not imported; the members of classes are beyond it.
  it('is not in classes: something refers to each of their members', () => {
    expect(unusedMembers(['libs', 'apps', 'tools'])).toEqual(CALLED_BY_NAME);
  }, 240_000);
});
