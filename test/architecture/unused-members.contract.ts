import { unusedMembers } from './unused-members.js';

describe('Dead code', () => {
  // knip finds what is exported and not imported; the members of classes are beyond it.
  it('is not in classes: something refers to each of their members', () => {
    expect(unusedMembers(['libs', 'apps', 'tools'])).toEqual([]);
  }, 240_000);
});
