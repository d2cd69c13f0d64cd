import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeOntology, type Ontology } from './change-ontology.ts';

const empty = { declared: [], renames: {} };

it('follows renames to the last name, merges by renaming, and forgets what is named null', () => {
  const one = changeOntology(empty, { renames: { mug: 'cup' }, declare: ['cup', 'bowl'] });
  const two = changeOntology(one, {
    renames: { cup: 'vessel' },
    merges: [{ classes: ['glass'], into: 'vessel' }],
  });
  expect(two).toEqual({
    declared: ['bowl', 'cup'],
    renames: { cup: 'vessel', glass: 'vessel', mug: 'vessel' },
  });
  expect(changeOntology(two, { renames: { mug: null }, undeclare: ['cup'] })).toEqual({
    declared: ['bowl'],
    renames: { cup: 'vessel', glass: 'vessel' },
  });
});

it('never leads from a name to itself, nor on from one that leads elsewhere, whatever is asked', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const change = fc.record({ renames: fc.dictionary(name, fc.option(name)) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
      const { renames } = changes.reduce(changeOntology, empty as ReturnType<typeof changeOntology>);
      for (const [from, to] of Object.entries(renames)) expect(to).not.toBe(from);
    }),
  );
});

/** The same, one class after the other. */
function renameOneByOne(
  before: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const names = new Map(Object.entries(before));
  for (const [from, to] of Object.entries(change)) {
    if (to === null) names.delete(from);
    else {
      for (const [recorded, name] of names) if (name === from) names.set(recorded, to);
      names.set(from, to);
    }
  }
  return Object.fromEntries([...names].filter(([recorded, name]) => recorded !== name));
}

it('gives the names that renaming one class after the other gives', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__');
  const change = fc.dictionary(name, fc.option(name), { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
      let expected = {};
      let ontology: Ontology = empty;
      for (const renames of changes) {
        expected = renameOneByOne(expected, renames);
        ontology = changeOntology(ontology, { renames });
      }
      expect(Object.entries(ontology.renames).sort()).toEqual(Object.entries(expected).sort());
    }),
  );
});

it('refuses more than ten thousand renames or classes', () => {
  const chain = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`class ${at}`, `class ${at + 1}`]));
  const whole = changeOntology(empty, { renames: chain(10_000) });
  expect(new Set(Object.values(whole.renames))).toEqual(new Set(['class 10000']));
  const tooMany = expect.objectContaining({ code: 'limit_exceeded' });
  expect(() => changeOntology(empty, { renames: chain(10_001) })).toThrow(tooMany);
  expect(() => changeOntology(whole, { renames: { other: 'class 1' } })).toThrow(tooMany);
  const classes = Array.from({ length: 1000 }, () => 'a');
  const merges = Array.from({ length: 11 }, () => ({ classes, into: 'b' }));
  expect(() => changeOntology(empty, { merges })).toThrow('11,000 renamed or merged classes');
  const declare = Array.from({ length: 10_001 }, (_, at) => `class ${at}`);
  expect(() => changeOntology(empty, { declare })).toThrow('10,001 declared classes');
});
