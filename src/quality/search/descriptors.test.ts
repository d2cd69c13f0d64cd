import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CameraEvidence, type Episode, gridSide, type Stream, unknownOutcome } from '#core/episode';
import { idsInFiles } from '#test/support/ids-in-files';
import { rounds } from '#test/support/tiers';
import type { DescriptorInput } from './descriptor.ts';
import { descriptors } from './descriptor-registry.ts';
import { cosine } from './search-episodes.ts';

const unit = { unit: 'unknown', evidence: 'unknown', reason: 'not said' } as const;

function stateOf(rows: number, dims: number, at: (row: number, d: number) => number): Stream {
  const values = new Float64Array(rows * dims);
  for (let i = 0; i < rows; i++) for (let d = 0; d < dims; d++) values[i * dims + d] = at(i, d);
  return {
    id: 'observation.state',
    role: 'state',
    modality: 'numeric',
    shape: [dims],
    names: null,
    unit,
    declared_rate_hz: 30,
    sample_count: rows,
    clocks: [
      { name: 't', provenance: 'synthesised', time_s: Float64Array.from({ length: rows }, (_, i) => i / 30) },
    ],
    clock: { index: 0, reason: 'the only one' },
    series: { values, dims },
  };
}

const camera: Stream = { ...stateOf(0, 1, () => 0), id: 'top', role: 'camera', modality: 'video' };

function seen(frames: number, luma: (frame: number, cell: number) => number): CameraEvidence {
  const grid = Uint8Array.from({ length: frames * gridSide * gridSide }, (_, i) =>
    luma(Math.floor(i / (gridSide * gridSide)), i % (gridSide * gridSide)),
  );
  const time_s = Float64Array.from({ length: frames }, (_, i) => i);
  const sampled = { index: Int32Array.from(time_s), time_s, grid };
  return { sampled } as unknown as CameraEvidence;
}

function described(streams: readonly Stream[], evidence?: CameraEvidence): DescriptorInput {
  const episode = {
    id: 'e',
    index: 0,
    streams,
    duration_s: 10,
    outcome: unknownOutcome,
  } as unknown as Episode;
  return { episode, cameras: new Map(evidence === undefined ? [] : [['top', evidence]]) };
}

function vectorOf(id: string, subject: DescriptorInput): readonly number[] {
  const made = descriptors.get(id)!.describe(subject, null);
  if ('reason' in made) throw new Error(made.reason);
  return made.vector;
}

const reach = (scale: number, shift: number, way: number) =>
  stateOf(300, 3, (i, d) => shift + scale * way * Math.sin((i / 300) * (d + 1) * 2));
const odd = fc.oneof(
  { weight: 5, arbitrary: fc.double({ min: -1e3, max: 1e3, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, Number.NaN, Infinity, -Infinity, 1.7e308, -1.7e308, 5e-324) },
);

describe('descriptors', () => {
  it('are all registered, with what they say', () => {
    expect(idsInFiles(import.meta.dirname, (name) => name.endsWith('-descriptor.ts'))).toEqual(
      [...descriptors.ids].sort(),
    );
    for (const { says, dims, version } of descriptors) {
      expect(says.length).toBeGreaterThan(20);
      expect(dims).toBeGreaterThan(0);
      expect(version).toBeGreaterThan(0);
    }
  });

  it('give of any numbers a vector of their length and of length 1, or a reason', () => {
    const anything = fc
      .record({
        rows: fc.integer({ min: 0, max: 90 }),
        dims: fc.integer({ min: 1, max: 40 }),
        pool: fc.array(odd, { minLength: 1, maxLength: 40 }),
        luma: fc.array(fc.nat(255), { minLength: 1, maxLength: 30 }),
        frames: fc.nat(30),
      })
      .map(({ rows, dims, pool, luma, frames }) =>
        described(
          [stateOf(rows, dims, (i, d) => pool[(i * 7 + d * 3) % pool.length]), camera],
          seen(frames, (f, c) => luma[(f * 5 + c) % luma.length]),
        ),
      );
    fc.assert(
      fc.property(anything, fc.option(fc.tuple(odd, odd)), (subject, span) => {
        const [from_s, to_s] = span ?? [0, 0];
        for (const descriptor of descriptors) {
          const made = descriptor.describe(subject, span === null ? null : { from_s, to_s });
          expect(descriptor.describe(subject, span === null ? null : { from_s, to_s })).toEqual(made);
          if ('reason' in made) expect(made.reason).not.toBe('');
          else {
            expect(made.vector).toHaveLength(descriptor.dims);
            expect(Math.sqrt(cosine(made.vector, made.vector))).toBeCloseTo(1, 2);
          }
        }
      }),
      { numRuns: rounds(50, 300) },
    );
  });
});

describe('the motion descriptor', () => {
  it('leaves no trace of scale and duration, and tells one way from the other', () => {
    const one = vectorOf('motion', described([reach(1, 0, 1)]));
    expect(cosine(one, vectorOf('motion', described([reach(57.3, 0, 1)])))).toBeGreaterThan(0.999);
    const slow = stateOf(900, 3, (i, d) => Math.sin((i / 900) * (d + 1) * 2));
    expect(cosine(one, vectorOf('motion', described([slow])))).toBeGreaterThan(0.99);
    expect(cosine(one, vectorOf('motion', described([reach(1, 0, -1)])))).toBeLessThan(0);
  });

  it('gives noise of a joint that stands still little weight', () => {
    const still = stateOf(300, 3, (i, d) => (d === 2 ? 1 + 1e-3 * ((i * 7919) % 13) : Math.sin(i / 100 + d)));
    const quiet = stateOf(300, 3, (i, d) => (d === 2 ? 1 : Math.sin(i / 100 + d)));
    expect(
      cosine(vectorOf('motion', described([still])), vectorOf('motion', described([quiet]))),
    ).toBeGreaterThan(0.98);
  });

  it('does not compare numbers of another layout', () => {
    const made = [2, 3].map((dims) =>
      descriptors.get('motion')!.describe(described([stateOf(50, dims, (i, d) => i * (d + 1))]), null),
    );
    expect(made.map((one) => ('layout' in one ? one.layout : null))).toEqual(['state 2', 'state 3']);
  });

  it('is the same to the last digit as when it was written', () => {
    const vector = vectorOf('motion', described([reach(1, 0, 1)]));
    expect(vector.slice(0, 8)).toEqual(expected.motion);
  });
});

describe('the picture descriptor', () => {
  const ramp = (f: number, c: number) => 40 + (c % gridSide) * 10 + f;
  it('does not mind how bright the light is, and minds which way it falls', () => {
    const one = vectorOf('picture', described([camera], seen(10, ramp)));
    const brighter = seen(10, (f, c) => ramp(f, c) + 30);
    const turned = seen(10, (f, c) => 140 - (c % gridSide) * 10 + f);
    expect(cosine(one, vectorOf('picture', described([camera], brighter)))).toBeGreaterThan(0.999);
    expect(cosine(one, vectorOf('picture', described([camera], turned)))).toBeLessThan(0);
  });

  it('gives the reason if there are no pictures, or none was decoded', () => {
    const reasonOf = (subject: DescriptorInput) => {
      const made = descriptors.get('picture')!.describe(subject, null);
      return 'reason' in made ? made.reason : null;
    };
    expect(reasonOf(described([reach(1, 0, 1)]))).toMatch(/no images/);
    expect(reasonOf(described([camera]))).toMatch(/not decoded/);
    expect(
      reasonOf(
        described(
          [camera],
          seen(0, () => 0),
        ),
      ),
    ).toMatch(/decoded/);
    expect(
      reasonOf(
        described(
          [camera],
          seen(4, () => 90),
        ),
      ),
    ).toMatch(/are uniform/);
  });
});

const expected = { motion: [0.0696, 0.1349, 0.1935, 0.2387, 0.2695, 0.2841, 0.2809, 0.2599] };
