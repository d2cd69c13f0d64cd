import { describe, expect, it } from 'vitest';
import { hiddenAmbiguity } from './hidden-ambiguity.ts';

describe('hidden ambiguity', () => {
  it.each([
    ['{"a":1,"a":2}', 'duplicate key'],
    ['{"b":{"x":1,"y":[],"\\u0078":2}}', 'duplicate key'],
    ['[{"a":[1,{"k":0},2],"b":{"k":1,"k":1}}]', 'duplicate key'],
    ['{"a":9007199254740993}', 'represented exactly as a double'],
  ])('is found in %s', (json, says) => {
    expect(hiddenAmbiguity(json)).toContain(says);
  });

  it.each([
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}',
    '{"a":"a","b":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":["a","a","a"],"b":-0.5e-7}',
    '{ "a" : 1 ,\n "b" : 9007199254740991 }',
  ])('is not found in %s', (json) => {
    expect(hiddenAmbiguity(json)).toBeNull();
  });
});
