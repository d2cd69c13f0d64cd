import { expect, it } from 'vitest';
import { countPhrase } from './phrases.ts';

it('uses the singular for a count of one', () => {
  expect(countPhrase(1, 'boxes reach beyond the edge of their image')).toBe(
    '1 box reaches beyond the edge of its image',
  );
  expect(countPhrase(1, 'image ids are not unique; the last image with an id is used')).toBe(
    '1 image id is not unique; the last image with an id is used',
  );
  expect(countPhrase(1, 'box lines are in a file of polygons; training drops the whole image')).toBe(
    '1 box line is in a file of polygons; training drops the whole image',
  );
  expect(countPhrase(1, 'label files could not be read')).toBe('1 label file could not be read');
  expect(countPhrase(1, 'masks give their size as [width, height]: they decode into other pictures')).toBe(
    '1 mask gives its size as [width, height]: it decodes into other pictures',
  );
  expect(countPhrase(2, 'boxes reach beyond the edge of their image')).toBe(
    '2 boxes reach beyond the edge of their image',
  );
  expect(countPhrase(1, 'segments have no video', 3)).toBe('1 of 3 segments has no video');
  expect(countPhrase(1, 'segments have no video', 1)).toBe('1 segment has no video');
  expect(countPhrase(2, 'segments have no video', 3)).toBe('2 of 3 segments have no video');
});
