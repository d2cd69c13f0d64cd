import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonMembers } from './json-members.ts';

/** Parses an object with `jsonMembers` and reassembles it. */
const parse = (text: string): unknown =>
  Object.fromEntries(
    Array.from(jsonMembers(Buffer.from(text)), ({ name, isList, values }) => {
      const all = [...values];
      return [name, isList ? all : all[0]];
    }),
  );

const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }));

it('parses what JSON.parse does, in any layout', () => {
  fc.assert(
    fc.property(objects, fc.constantFrom(undefined, 2, '\t'), (object, space) => {
      const text = JSON.stringify(object, null, space);
      expect(parse(` ${text}\n`)).toEqual(JSON.parse(text));
    }),
  );
  expect(parse('{"a":-1.5e+3,"b":[[],{"c":"]}\\\\\\""},null],"__proto__":true}')).toEqual(
    JSON.parse('{"a":-1.5e+3,"b":[[],{"c":"]}\\\\\\""},null],"__proto__":true}'),
  );
});

it('refuses what JSON.parse refuses', () => {
  const characters = fc.array(fc.constantFrom(...'{}[]:,"a1-. \\'), { maxLength: 12 });
  fc.assert(
    fc.property(characters, (all) => {
      const text = `{${all.join('')}`;
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        expect(() => parse(text)).toThrow(SyntaxError);
        return;
      }
      expect(parse(text)).toEqual(expected);
    }),
    { numRuns: 5000 },
  );
});
