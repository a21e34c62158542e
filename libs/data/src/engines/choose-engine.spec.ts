import { isMongos } from './choose-engine.js';

describe('A server', () => {
  it.each([
    ['a mongos', { msg: 'isdbgrid', topologyVersion: { processId: 'one', counter: 0 } }, true],
    ['DocumentDB', { msg: 'isdbgrid', localTime: 1_795_621_880_228 }, false],
    ['a node of a replica set', { setName: 'rs0', topologyVersion: { processId: 'one', counter: 6 } }, false],
  ])('that introduces itself as %s is taken for a mongos or not', (_, hello, expected) => {
    expect(isMongos(hello)).toBe(expected);
  });
});
