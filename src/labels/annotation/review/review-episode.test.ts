import { expect, test } from 'vitest';
import type { JsonObject } from '#core';
import { episodeOf } from '#test/annotation/known-motion';
import { reviewEpisode } from './review-episode.ts';

const span = (kind: string, from_s: number, to_s: number) => ({
  ...{ kind, from_s, to_s, begins: null, grippers: [], most_moved: null, speed: null },
});
const segments = (...own: ReturnType<typeof span>[]) => ({
  ...{ from_s: 0, to_s: 10, reason: null, grippers: [], segments: own },
});
const frame = (box: readonly number[]) => ({
  ...{ camera: 'top', time_s: 1, width_px: 64, height_px: 48 },
  boxes: [{ label: 'cup', score: 0.9, box: [...box] }],
});
const review = (artifacts: Record<string, JsonObject>, tasks: readonly string[] = []) => {
  const { facts } = episodeOf([], 'teleop', 10);
  return reviewEpisode({
    facts: { ...facts, episode: { ...facts.episode, tasks: [...tasks] } },
    artifacts,
  })[0];
};

test('segments that cover the episode are good; a gap, an overlap and a missing end are named', () => {
  const whole = segments(span('move', 0, 4), span('still', 4, 10));
  expect(review({ segments: whole })).toMatchObject({
    verdict: 'good',
    evidence: [{ test: 'segments_cover_episode', looked_at: 2, wrong: 0, improvement: null }],
  });
  const gap = segments(span('move', 0, 4), span('still', 5, 7), span('move', 7, 10));
  expect(review({ segments: gap })).toMatchObject({
    verdict: 'needs_work',
    evidence: [{ wrong: 1, first: 'no segment covers 4 s to 5 s', improvement: expect.any(String) }],
  });
  const spoiled = segments(span('move', 0, 4), span('still', 3, 7));
  expect(review({ segments: spoiled })).toMatchObject({ verdict: 'bad', evidence: [{ wrong: 2 }] });
});

test('boxes must have an area and lie inside their picture', () => {
  const inside = frame([0, 0, 64, 48]);
  expect(review({ object_labels: { frames: [inside] } }).verdict).toBe('good');
  for (const box of [
    [-3, 0, 10, 10],
    [60, 40, 10, 5],
    [5, 5, 0, 5],
  ]) {
    const one = review({ object_labels: { frames: [frame(box)] } });
    expect(one).toMatchObject({
      verdict: 'bad',
      evidence: [{ looked_at: 1, wrong: 1, at: [{ camera: 'top', time_s: 1 }] }],
    });
  }
});

test('a caption must say something new where a gripper moves', () => {
  const artifacts = (second: string) => ({
    captions: {
      windows: [
        { from_s: 0, to_s: 5, text: 'The arm moves.' },
        { from_s: 5, to_s: 10, text: second },
      ],
    },
    segments: segments(span('move', 0, 6), span('gripper_close', 6, 10)),
  });
  expect(review(artifacts('The gripper closes.'))).toMatchObject({ layer: 'captions', verdict: 'good' });
  expect(review(artifacts('The arm moves.'))).toMatchObject({ verdict: 'bad' });
});

test('a text must tell of the task', () => {
  const tell = (text: string) => review({ dense_text: { text } }, ['Place the yellow cup on the tray']);
  expect(tell('The arm places nothing; a yellow thing is on the tray.').verdict).toBe('good');
  expect(tell('The arm moves fast.')).toMatchObject({
    verdict: 'bad',
    evidence: [{ first: 'the text does not mention "Place the yellow cup on the tray"' }],
  });
});

test('without evidence there is no verdict, and the reason is there', () => {
  const said = (artifacts: Record<string, JsonObject>) => {
    const { verdict, evidence, not_held } = review(artifacts);
    expect({ verdict, evidence }).toEqual({ verdict: 'not_assessable', evidence: [] });
    return not_held.map(({ reason }) => reason).join();
  };
  expect(said({ segments: { ...segments(), reason: 'nothing moved' } })).toBe('nothing moved');
  expect(said({ captions: { windows: [] } })).toContain('no segments to compare with');
  expect(said({ dense_text: { text: 'A text.' } })).toContain('no task');
  expect(said({ object_labels: { frames: [] } })).toContain('no frames were processed');
  expect(said({ representation_3d: {} })).toBe('no tests exist for representation_3d');
  expect(said({ segments: { segments: 'spoiled' } })).toContain('cannot read');
});
