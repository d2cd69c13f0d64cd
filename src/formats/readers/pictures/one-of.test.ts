import { expect, it } from 'vitest';
import { Oddities, type Oddity } from './coco/oddities.ts';
import { oneOf } from './one-of.ts';

it('one of a kind is said in the singular', () => {
  expect(oneOf('boxes reach outside of their image')).toBe('box reaches outside of its image');
  expect(oneOf('image ids occur more than once; the last one wins')).toBe(
    'image id occurs more than once; the last one wins',
  );
  expect(oneOf('lines of a box stand among outlines; training drops the whole picture')).toBe(
    'line of a box stands among outlines; training drops the whole picture',
  );
  expect(oneOf('label files could not be read')).toBe('label file could not be read');
  expect(oneOf('masks give their size as [width, height]: they decode into other pictures')).toBe(
    'mask gives its size as [width, height]: it decodes into other pictures',
  );
});

it('a finding of one box reads so, and one of two as before', () => {
  const said = (...found: Oddity[]) => {
    const oddities = new Oddities();
    for (const kind of found) oddities.add(kind, '7');
    return oddities.findings(null)[0].message;
  };
  expect(said('box_outside')).toBe('1 box reaches outside of its image (7)');
  expect(said('box_outside', 'box_outside')).toBe('2 boxes reach outside of their image (7, 7)');
});
