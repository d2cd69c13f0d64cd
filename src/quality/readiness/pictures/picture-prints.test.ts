import { describe, expect, it } from 'vitest';
import { type TestLook, testCamera } from '../test-subject.ts';
import { computePicturePrints, picturesAgree } from './picture-similarity.ts';

/** A still scene with an arm that crosses it, one block column a tenth of the 100 frames. */
const scene = (i: number, block: number) => (block % 8 === Math.floor(i / 13) ? 180 : 60 + block);

function printsOf(grid: NonNullable<TestLook['grid']>, frames = 100, id = 'front') {
  return computePicturePrints({ cameras: new Map([[id, testCamera(frames, { grid })]]) });
}

const own = printsOf(scene);

describe('pictures of two episodes', () => {
  it('agree where one was encoded again', () => {
    expect(
      picturesAgree(
        own,
        printsOf((i, block) => scene(i, block) + ((i + block) % 5) - 2),
      ),
    ).toBe(true);
  });

  it('agree where one is a copy without its first rows', () => {
    expect(
      picturesAgree(
        own,
        printsOf((i, block) => scene(i + 14, block), 86),
      ),
    ).toBe(true);
  });

  it('differ where the same motion was made on another table', () => {
    expect(
      picturesAgree(
        own,
        printsOf((i, block) => scene(i, block) + (block > 40 ? 20 : 0)),
      ),
    ).toBe(false);
  });

  it('differ where an object lies elsewhere at both ends', () => {
    const moved = (i: number, block: number) => scene(i, block) + (block === (i < 50 ? 20 : 44) ? 12 : 0);
    const both = (i: number, block: number) => moved(i, block) + (block === (i < 50 ? 29 : 53) ? 12 : 0);
    expect(
      picturesAgree(
        own,
        printsOf((i, block) => both(i, block) + (block === (i < 50 ? 34 : 12) ? 12 : 0)),
      ),
    ).toBe(false);
  });

  it('say nothing without a camera in common', () => {
    expect(picturesAgree(own, null)).toBeNull();
    expect(picturesAgree(own, printsOf(scene, 100, 'wrist'))).toBeNull();
    expect(computePicturePrints({ cameras: new Map([['front', testCamera(0)]]) })).toBeNull();
  });

  it('take a few hundred bytes', () => {
    expect(JSON.stringify(own).length).toBeLessThan(400);
  });
});
