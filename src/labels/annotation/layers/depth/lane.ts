import { AssayError, type JsonObject, significant } from '#core';
import type { Calibration } from '#core/episode';
import type { ModelSession, TensorSpec } from '#labels/models';
import { type Lane, type LaneContext, type LaneEpisode, type LaneFrame, mainPart } from '../../lane.ts';
import { type DepthMap, lengthSamples, rangeSamples } from './depth-map.ts';
import {
  Agreement,
  type CameraJson,
  DepthParts,
  type EpisodeDepth,
  intrinsicsJson,
  missingJson,
  recordedDepth,
} from './recorded-depth.ts';

/** Depth as depth cameras recorded it; where there was none, as a model estimates it from the pictures. */
export const lane: Lane = {
  version: 2,
  requires: ['depth'],
  run: async (episode, context) => {
    const isRecorded = episode.facts.streams.some(({ role }) => role === 'depth');
    const depth = isRecorded
      ? { ...(await recordedDepth(episode, context)), model: null }
      : await estimatedDepth(episode, context);
    const { cameras, parts, maps, agreement, model } = depth;
    if (maps === 0) {
      const why = cameras.flatMap(({ unreadable, missing }) => unreadable ?? missing[0]?.reason ?? []);
      throw new AssayError('unreadable_input', `there is no depth map: ${why[0] ?? 'no camera has a frame'}`);
    }
    const source = isRecorded ? 'recorded' : 'model';
    const json = { cameras, model, schema: 'assay/depth/v1', source };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }, ...parts],
      counts: { cameras: cameras.length, depth_maps: maps },
      quality: agreement === null ? null : significant(agreement, 4),
      quality_reason: agreement === null ? 'no camera has two frames of one size to compare' : null,
    };
  },
};

/** What a model says of the frames of every camera. Throws `layer_unavailable` where none can be run here. */
async function estimatedDepth(
  { calibrations = [] }: LaneEpisode,
  context: LaneContext,
): Promise<EpisodeDepth & { readonly model: string }> {
  const session = await context.model('depth');
  if (session === null)
    throw new AssayError(
      'layer_unavailable',
      'the episode holds no recorded depth, and no model for depth can be run here',
      { advice: 'assay models pull onnx-community/depth-anything-v2-small' },
    );
  const model = depthModel(session);
  const parts = new DepthParts();
  const agreement = new Agreement(model.contract.gives === 'inverse');
  const cameras = new Map<string, Camera>();
  for await (const { camera: id, frames, missing, unreadable } of context.frames()) {
    let camera = cameras.get(id);
    if (camera === undefined) {
      agreement.nextCamera();
      camera = new Camera(id, model, calibrations);
      cameras.set(id, camera);
    }
    camera.unreadable ??= unreadable;
    for (const frame of frames) {
      context.signal.throwIfAborted();
      const map = camera.inMetres(await estimateFrame(frame, model));
      agreement.add(map);
      const samples = camera.isMetric ? lengthSamples(map, 0.001) : rangeSamples(map);
      camera.frames.push(await parts.add({ ...map, row: frame.row, time_s: frame.time_s }, samples));
    }
    camera.missing.push(...missing.map(missingJson));
  }
  const told = [...cameras.values()].map((camera) => camera.json());
  const maps = [...cameras.values()].reduce((sum, { frames }) => sum + frames.length, 0);
  return { cameras: told, parts: parts.parts, maps, agreement: agreement.fraction, model: session.model };
}

/** Estimated depth of one camera. */
class Camera {
  readonly frames: JsonObject[] = [];
  readonly missing: ReturnType<typeof missingJson>[] = [];
  unreadable: string | null = null;
  readonly #id: string;
  readonly #model: DepthModel;
  readonly #intrinsics: JsonObject | null;

  constructor(id: string, model: DepthModel, calibrations: readonly Calibration[]) {
    this.#id = id;
    this.#model = model;
    this.#intrinsics = intrinsicsJson(id, calibrations);
  }

  /** The model answers in metres, and the focal length that they depend on is known. */
  get isMetric(): boolean {
    return this.#model.contract.gives === 'canonical' && this.#focal !== null;
  }

  get #focal(): { readonly fx_px: number; readonly width_px: number } | null {
    const { fx_px, width_px } = this.#intrinsics ?? {};
    return typeof fx_px === 'number' && typeof width_px === 'number' && width_px > 0
      ? { fx_px, width_px }
      : null;
  }

  inMetres(map: DepthMap): DepthMap {
    const focal = this.#focal;
    const { focal_px } = this.#model.contract;
    if (focal === null || focal_px === null) return map;
    const factor = (focal.fx_px * map.width_px) / focal.width_px / focal_px;
    return { ...map, values: map.values.map((value) => value * factor) };
  }

  json(): CameraJson {
    const { gives } = this.#model.contract;
    return {
      camera: this.#id,
      encoding: null,
      frames: this.frames,
      intrinsics: this.#intrinsics,
      intrinsics_reason:
        this.#intrinsics === null ? 'the recording holds no calibration of this camera' : null,
      kind: this.isMetric ? 'metric' : gives === 'inverse' ? 'relative_inverse' : 'relative',
      missing: this.missing,
      unit: this.isMetric ? 'm' : null,
      unit_reason: this.isMetric
        ? 'the model answers in metres of a known focal length, scaled to this camera’s'
        : gives === 'inverse'
          ? 'the model tells what is nearer, up to a scale and an offset'
          : 'the model’s metres depend on the focal length, which the recording does not say',
      unreadable: this.unreadable,
    };
  }
}

/** What a model says of a frame, at the size that it saw; null size dimensions of the model are free. */
async function estimateFrame(frame: LaneFrame, model: DepthModel): Promise<DepthMap> {
  const { session, contract, input, output } = model;
  const [width, height] = [
    input.dims[3] ?? sideFor(frame.width_px, contract.multiple_px),
    input.dims[2] ?? sideFor(frame.height_px, contract.multiple_px),
  ];
  const data = planesOf(frame, [width, height], contract);
  const pixels = { type: 'float32', dims: [1, 3, height, width], data } as const;
  const result = (await session.run({ [input.name]: pixels }))[output.name];
  const [height_px, width_px] = result?.dims.slice(-2) ?? [0, 0];
  if (result?.type !== 'float32' || result.data.length !== width_px * height_px || result.data.length === 0)
    throw new AssayError(
      'layer_unavailable',
      `the model ${session.model} gave ${result?.type} of ${result?.dims.join(' x ')}, no depth map`,
    );
  return { width_px, height_px, values: result.data };
}

/** The multiple nearest to a side. */
const sideFor = (side_px: number, multiple_px: number): number =>
  Math.max(1, Math.round(side_px / multiple_px)) * multiple_px;

/** A picture of three bytes a pixel. */
interface Rgb {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
}

/**
 * Planes of red, green and blue, normalised, at another size: bilinear between the centres of pixels (half-pixel centres,
 * edges repeated).
 */
function planesOf(
  { width_px: width, height_px: height, rgb }: Rgb,
  [toWidth, toHeight]: readonly [number, number],
  { mean, deviation }: { readonly mean: readonly number[]; readonly deviation: readonly number[] },
): Float32Array {
  const columns = taps(width, toWidth);
  const rows = taps(height, toHeight);
  const plane = toWidth * toHeight;
  const out = new Float32Array(3 * plane);
  for (let y = 0; y < toHeight; y++) {
    const { low: top, high: bottom, share: down } = rows[y];
    for (let x = 0; x < toWidth; x++) {
      const { low: left, high: right, share: along } = columns[x];
      for (let c = 0; c < 3; c++) {
        const at = (row: number, column: number) => rgb[3 * (row * width + column) + c];
        const above = at(top, left) + along * (at(top, right) - at(top, left));
        const below = at(bottom, left) + along * (at(bottom, right) - at(bottom, left));
        out[c * plane + y * toWidth + x] = (above + down * (below - above) - mean[c]) / deviation[c];
      }
    }
  }
  return out;
}

interface Tap {
  readonly low: number;
  readonly high: number;
  readonly share: number;
}

const taps = (from: number, to: number): readonly Tap[] =>
  Array.from({ length: to }, (_, i) => {
    const place = Math.min(from - 1, Math.max(0, ((i + 0.5) * from) / to - 0.5));
    const low = Math.floor(place);
    return { low, high: Math.min(from - 1, low + 1), share: place - low };
  });

/** How a depth model's pictures are prepared and what its numbers are. */
interface DepthContract {
  /** `inverse`: larger is nearer, up to a scale and an offset. `canonical`: metres of a camera of that focal length. */
  readonly gives: 'inverse' | 'canonical';
  readonly focal_px: number | null;
  /** Sides are multiples of it. */
  readonly multiple_px: number;
  /** Of red, green and blue between 0 and 255. */
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** ImageNet's, as `preprocessor_config.json` of Depth Anything has them. */
const imagenet = { mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375] } as const;
const inverse: DepthContract = { gives: 'inverse', focal_px: null, multiple_px: 14, ...imagenet };

/** Metric3D's exports normalise pictures themselves, and answer for a focal length of 1000 px. */
const contracts: Readonly<Record<string, DepthContract>> = {
  'onnx-community/depth-anything-v2-small': inverse,
  'yvanyin/metric3dv2-vit-large': {
    ...{ gives: 'canonical', focal_px: 1000, multiple_px: 28, mean: [0, 0, 0], deviation: [1, 1, 1] },
  },
};

/** A model that was found to take a picture and to give a depth map. */
interface DepthModel {
  readonly session: ModelSession;
  readonly contract: DepthContract;
  readonly input: TensorSpec;
  readonly output: TensorSpec;
}

/** Holds a model against what is known of it. Throws `layer_unavailable` where it is of another shape. */
function depthModel(session: ModelSession): DepthModel {
  const contract = contracts[session.model] ?? inverse;
  const [input] = session.inputs;
  const output = session.outputs.find(({ name }) => name === 'predicted_depth') ?? session.outputs[0];
  const takesPictures =
    session.inputs.length === 1 &&
    input.type === 'float32' &&
    input.dims.length === 4 &&
    (input.dims[1] ?? 3) === 3 &&
    (input.dims[0] ?? 1) === 1;
  const givesMaps = output?.type === 'float32' && (output.dims.length === 3 || output.dims.length === 4);
  if (!takesPictures || !givesMaps)
    throw new AssayError(
      'layer_unavailable',
      `the model ${session.model} is no depth model: it must take 1 x 3 x height x width floats and give 1 x height x width`,
      { advice: `assay models verify ${session.model}, or choose another model for depth` },
    );
  if (contract.gives === 'canonical' && (input.dims[2] !== null || input.dims[3] !== null))
    throw new AssayError(
      'layer_unavailable',
      `the model ${session.model} takes one size of picture only; stretching a picture would falsify its metres`,
      { advice: 'use an export with free height and width' },
    );
  return { session, contract, input, output };
}
