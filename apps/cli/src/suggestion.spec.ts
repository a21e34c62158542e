import { suggestionFor } from './suggestion.js';

const NAMES = ['key:create', 'key:list', 'company:create', 'doctor', 'explain'];

describe('suggestionFor', () => {
  it.each([
    [['key', 'create'], '(Did you mean key:create?)\n'],
    [['create:key'], '(Did you mean key:create?)\n'],
    [['keys', 'list', 'more'], '(Did you mean key:list?)\n'],
    [['key'], '(Did you mean one of key:create, key:list?)\n'],
    [['key', 'burn'], '(Did you mean one of key:create, key:list?)\n'],
    [['create'], '(Did you mean one of key:create, company:create?)\n'],
    [['no:such'], ''],
    [[], ''],
  ])('%j: %j', (words, sentence) => {
    expect(suggestionFor(words, NAMES)).toBe(sentence);
  });
});
