import { expect, it } from 'vitest';
import { ClassNames, listClasses, renameClasses } from './classes.ts';

const boxes = {
  model: 'a',
  frames: [{ boxes: [{ label: 'mug', score: 1 }, { label: 'cup' }] }, { boxes: [] }],
};

it('lists the classes of an artifact once, and none for layers without classes', () => {
  expect(listClasses('object_labels', boxes)).toEqual(['cup', 'mug']);
  expect(listClasses('tracks', { cameras: [{ tracks: [{ id: 1, label: 'mug' }, { id: 2 }] }, {}] })).toEqual([
    'mug',
  ]);
  expect(listClasses('segmentation', { frames: [{ labels: [{ label: 'cup', rle: {} }] }] })).toEqual(['cup']);
  expect(listClasses('captions', { windows: [] })).toBeNull();
});

it('renames labels and nothing else', () => {
  expect(renameClasses('object_labels', boxes, new ClassNames({ mug: 'cup', a: 'b' }))).toEqual({
    model: 'a',
    frames: [{ boxes: [{ label: 'cup', score: 1 }, { label: 'cup' }] }, { boxes: [] }],
  });
  const names = new ClassNames({ mug: 'cup', a: 'b' });
  renameClasses('object_labels', boxes, names);
  expect(names.applied).toEqual({ mug: 'cup' });
  expect(renameClasses('object_labels', boxes, new ClassNames({}))).toBe(boxes);
  expect(renameClasses('object_labels', { frames: 'spoiled' }, new ClassNames({ mug: 'cup' }))).toEqual({
    frames: 'spoiled',
  });
});
