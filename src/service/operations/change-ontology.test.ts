import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeOntology } from './ontology.ts';

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
