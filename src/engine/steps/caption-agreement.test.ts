import { expect, it } from 'vitest';
import { parseAgreement } from './certify-evidence.ts';

const windows = [{ from_s: 0, to_s: 5, text: 'A cup is lifted.', judged: 'match', note: 'a cup' }];
const reviewOf = (agreement: unknown) => Buffer.from(JSON.stringify({ agreement, layers: [] }));

it('is that of the captions that were reviewed', () => {
  const review = reviewOf({ captions_hash: 'a', model: 'm', windows });
  expect(parseAgreement(review, 'a')).toEqual({ model: 'm', windows });
});

it.each([
  ['nobody has reviewed', null, /annotation_review job/],
  [
    'captions were made again',
    reviewOf({ captions_hash: 'b', model: 'm', windows }),
    /changed after the review/,
  ],
  ['there was no endpoint', reviewOf({ not_assessable: 'no vision endpoint' }), /no vision endpoint/],
])('cannot be told where %s', (_, review, reason) => {
  expect(parseAgreement(review, 'a')).toEqual({ not_assessable: expect.stringMatching(reason) });
});

it('is not read from what is no review', () => {
  expect(() =>
    parseAgreement(reviewOf({ captions_hash: 'a', model: 'm', windows: [{ judged: 'yes' }] }), 'a'),
  ).toThrow();
});
