import { expect, it } from 'vitest';
import { type CocoIssue, CocoIssues } from '../coco/read-annotations.ts';

it('a finding of one box reads so, and one of two as before', () => {
  const said = (...found: CocoIssue[]) => {
    const oddities = new CocoIssues();
    for (const kind of found) oddities.add(kind, '7');
    return oddities.findings(null)[0].message;
  };
  expect(said('box_outside')).toBe('1 box reaches beyond the edge of its image (7)');
  expect(said('box_outside', 'box_outside')).toBe('2 boxes reach beyond the edge of their image (7, 7)');
});
