import type { CameraEvidence, SampledFrames } from '#core/episode';

/** Returns the evidence of a camera that was not measured: empty, with the reason. */
export function noEvidence(decodable: 'no' | 'missing' | 'not_measured', reason: string): CameraEvidence {
  return {
    decodable,
    reason,
    container: null,
    sampled: emptySampled(),
    repeats: {
      pairs_compared: 0,
      pairs_equal: 0,
      runs: [],
      places: [],
      place_count: 0,
      method: 'none',
      in_motion: null,
    },
    thumbnails: [],
    coded: null,
  };
}

function emptySampled(): SampledFrames {
  return {
    index: new Int32Array(0),
    time_s: new Float64Array(0),
    luma_mean: new Float32Array(0),
    luma_std: new Float32Array(0),
    dark_ratio: new Float32Array(0),
    bright_ratio: new Float32Array(0),
    sharpness: new Float32Array(0),
    difference: new Float32Array(0),
    motion: new Float32Array(0),
    hash_high: new Uint32Array(0),
    hash_low: new Uint32Array(0),
    grid: new Uint8Array(0),
  };
}
