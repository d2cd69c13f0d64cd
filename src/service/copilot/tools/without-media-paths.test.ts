import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AssayError } from '#core';
import { assertNoMedia } from '../boundary/assert-no-media.ts';
import { errorWithoutMediaPaths, withoutMediaPaths } from './define-tool.ts';

describe('an answer of a tool', () => {
  it('keeps its words, and names no media file', () => {
    const finding = {
      path: 'videos/cam_high/episode_000003.mp4',
      message: 'videos/cam_high/episode_000003.mp4 is not there: 4 of 7 are (57.1 %)',
      episodes: ['a.mp4', 'b'],
      'left.png': 1,
    };
    expect(withoutMediaPaths(finding)).toEqual({
      path: '[media file]',
      message: '[media file] is not there: 4 of 7 are (57.1 %)',
      episodes: ['[media file]', 'b'],
      '[media file]': 1,
    });
  });

  it('passes the boundary whatever names of media files are in it', () => {
    const file = fc
      .tuple(
        fc.array(fc.stringMatching(/^[a-z0-9 _-]{1,8}$/), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('mp4', 'PNG', 'mkv'),
      )
      .map(([parts, ending]) => `${parts.join('/')}.${ending}`);
    const text = fc.tuple(fc.lorem(), file, fc.lorem()).map((parts) => parts.join(' '));
    fc.assert(fc.property(fc.array(text), (texts) => assertNoMedia(withoutMediaPaths(texts))));
  });

  it('leaves what else the boundary refuses for it to refuse', () => {
    const hidden = { task: 'data:image/png;base64,iVBORw0KGgo=' };
    expect(withoutMediaPaths(hidden)).toEqual(hidden);
  });
});

it('a refusal keeps code, advice and details, and names no media file', () => {
  const told = errorWithoutMediaPaths(
    new AssayError('unreadable_input', 'clip.mp4 could not be decoded', {
      path: '/srv/clip.mp4',
      advice: 'look at clip.mp4',
      details: { files: ['clip.mp4'], at: 3 },
    }),
  );
  expect(told).toMatchObject({
    code: 'unreadable_input',
    message: '[media file] could not be decoded',
    advice: 'look at [media file]',
    path: null,
    details: { files: ['[media file]'], at: 3 },
  });
});
