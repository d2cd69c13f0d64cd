import { AssayError, type JsonObject, significant } from '#core';
import type { Calibration } from '#core/episode';
import { layerTitles } from '#core/titles';
import {
  type DepthFormat,
  type DepthPorts,
  depthPorts,
  type ModelSession,
  type PictureContract,
} from '#labels/models';
import { integerKnob, numberKnob } from '../knob.ts';
import { type Lane, type LaneContext, type LaneEpisode, type LaneFrame, mainPart } from '../lane.ts';
import { allModes, countSampledPictures, type LayerRow, noPicturesReason, sampledFrames } from '../layer.ts';
import { type DepthMap, quantiseLengths, quantiseRange } from '../vision/depth-map.ts';
import {
  type CameraJson,
  DepthAgreement,
  DepthParts,
  type EpisodeDepth,
  intrinsicsJson,
  missingJson,
  recordedDepth,
} from '../vision/recorded-depth.ts';

/** Stores recorded depth if the episode has a depth stream, else estimates depth from the pictures with a model. */
const lane: Lane = {
  version: 2,
  run: async (episode, context) => {
    const isRecorded = episode.facts.streams.some(({ role }) => role === 'depth');
    const depth = isRecorded
      ? { ...(await recordedDepth(episode, context)), model: null }
      : await estimateDepth(episode, context);
    const { cameras, parts, maps, agreement, model } = depth;
    if (maps === 0) {
      const why = cameras.flatMap(({ unreadable, missing }) => unreadable ?? missing[0]?.reason ?? []);
      throw new AssayError('unreadable_input', `no depth maps: ${why[0] ?? 'no camera has frames'}`);
    }
    const source = isRecorded ? 'recorded' : 'model';
    const json = { cameras, model, schema: 'assay/depth/v1', source };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }, ...parts],
      counts: { cameras: cameras.length, depth_maps: maps },
      quality: agreement === null ? null : significant(agreement, 4),
      quality_reason: agreement === null ? 'no camera has two frames of the same size to compare' : null,
    };
  },
};

/** The depth layer. */
export const depth: LayerRow = {
  id: 'depth',
  title: layerTitles.depth,
  produces:
    'a depth map for each sampled frame: recorded if the episode has a depth camera, otherwise estimated',
  needs: {
    signals: false,
    frames: sampledFrames(),
    distances: ({ sample_hz }) => ({ rate_hz: Number(sample_hz) }),
    layers: [],
    models: [{ surface: 'depth' }],
  },
  unfit: { 'state-only': noPicturesReason },
  quality: {
    signal: 'valid_fraction',
    how: 'fraction of pixels whose depth agrees with neighbouring frames',
  },
  exports: [],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 30, 1], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    max_side_px: integerKnob([128, 2048, 518], 'px', {
      summary: 'longer side of the image passed to the model',
      moves_cost: true,
    }),
  },
  planned_compute_s: (size, { sample_hz, max_side_px }) =>
    1.2 * (Number(max_side_px) / 518) ** 2 * countSampledPictures(size, sample_hz),
  lane,
};

/**
 * Estimates depth for the frames of every camera.
 * @throws `layer_unavailable` if no depth model can run here.
 */
async function estimateDepth(
  { calibrations = [] }: LaneEpisode,
  context: LaneContext,
): Promise<EpisodeDepth & { readonly model: string }> {
  const model = await openDepthModel(context);
  const parts = new DepthParts();
  const agreement = new DepthAgreement(model.format.output === 'inverse');
  const cameras = new Map<string, EstimatedCamera>();
  for await (const { camera: id, frames, missing, unreadable } of context.frames()) {
    let camera = cameras.get(id);
    if (camera === undefined) {
      agreement.nextCamera();
      camera = new EstimatedCamera(id, model, calibrations);
      cameras.set(id, camera);
    }
    camera.unreadable ??= unreadable;
    for (const frame of frames) {
      context.signal.throwIfAborted();
      const map = camera.inMetres(await estimateFrame(frame, model));
      agreement.add(map);
      const samples = camera.isMetric ? quantiseLengths(map, 0.001) : quantiseRange(map);
      camera.frames.push(await parts.add({ ...map, row: frame.row, time_s: frame.time_s }, samples));
    }
    camera.missing.push(...missing.map(missingJson));
  }
  const cameraEntries = [...cameras.values()].map((camera) => camera.json());
  const maps = [...cameras.values()].reduce((sum, { frames }) => sum + frames.length, 0);
  return {
    cameras: cameraEntries,
    parts: parts.parts,
    maps,
    agreement: agreement.fraction,
    model: model.session.model,
  };
}

/** Collects the estimated depth of one camera. */
class EstimatedCamera {
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

  /**
   * Whether depths are in metres: the model is metric for a known focal length, and the camera's focal length is
   * known.
   */
  get isMetric(): boolean {
    return this.#model.format.output === 'canonical' && this.#focal !== null;
  }

  get #focal(): { readonly fx_px: number; readonly width_px: number } | null {
    const { fx_px, width_px } = this.#intrinsics ?? {};
    return typeof fx_px === 'number' && typeof width_px === 'number' && width_px > 0
      ? { fx_px, width_px }
      : null;
  }

  inMetres(map: DepthMap): DepthMap {
    const focal = this.#focal;
    const { focal_px } = this.#model.format;
    if (focal === null || focal_px === null) return map;
    const factor = (focal.fx_px * map.width_px) / focal.width_px / focal_px;
    return { ...map, values: map.values.map((value) => value * factor) };
  }

  json(): CameraJson {
    const { output } = this.#model.format;
    return {
      camera: this.#id,
      encoding: null,
      frames: this.frames,
      intrinsics: this.#intrinsics,
      intrinsics_reason:
        this.#intrinsics === null ? 'the recording has no calibration for this camera' : null,
      kind: this.isMetric ? 'metric' : output === 'inverse' ? 'relative_inverse' : 'relative',
      missing: this.missing,
      unit: this.isMetric ? 'm' : null,
      unit_reason: this.isMetric
        ? 'metres, scaled from the model’s focal length to the calibrated focal length of this camera'
        : output === 'inverse'
          ? 'relative depth without unit (unknown scale and offset)'
          : 'metres depend on the focal length, which the recording does not contain',
      unreadable: this.unreadable,
    };
  }
}

/**
 * Runs the model on a frame. Dimensions that the model leaves open take the frame's size, rounded to a multiple of
 * `multiple_px`.
 */
async function estimateFrame(frame: LaneFrame, model: DepthModel): Promise<DepthMap> {
  const { session, contract, format, input, output } = model;
  const [width, height] = [
    input.dims[3] ?? roundToMultiple(frame.width_px, format.multiple_px),
    input.dims[2] ?? roundToMultiple(frame.height_px, format.multiple_px),
  ];
  const data = toPlanes(frame, [width, height], contract);
  const pixels = { type: 'float32', dims: [1, 3, height, width], data } as const;
  const result = (await session.run({ [input.name]: pixels }))[output.name];
  const [height_px, width_px] = result?.dims.slice(-2) ?? [0, 0];
  if (result?.type !== 'float32' || result.data.length !== width_px * height_px || result.data.length === 0)
    throw new AssayError(
      'layer_unavailable',
      `the model ${session.model} returned ${result?.type} of ${result?.dims.join(' x ')} instead of a depth map`,
    );
  return { width_px, height_px, values: result.data };
}

/** Returns the multiple of `multiple_px` nearest to a side, at least one multiple. */
const roundToMultiple = (side_px: number, multiple_px: number): number =>
  Math.max(1, Math.round(side_px / multiple_px)) * multiple_px;

/** RGB picture, three bytes per pixel. */
interface RgbPicture {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
}

/**
 * Resizes a picture and normalises it into planes of red, green and blue. Bilinear interpolation with half-pixel
 * centres; edge pixels are repeated.
 */
function toPlanes(
  { width_px: width, height_px: height, rgb }: RgbPicture,
  [toWidth, toHeight]: readonly [number, number],
  { mean, deviation }: { readonly mean: readonly number[]; readonly deviation: readonly number[] },
): Float32Array {
  const columns = interpolationTaps(width, toWidth);
  const rows = interpolationTaps(height, toHeight);
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

interface InterpolationTap {
  readonly low: number;
  readonly high: number;
  readonly share: number;
}

const interpolationTaps = (from: number, to: number): readonly InterpolationTap[] =>
  Array.from({ length: to }, (_, i) => {
    const position = Math.min(from - 1, Math.max(0, ((i + 0.5) * from) / to - 0.5));
    const low = Math.floor(position);
    return { low, high: Math.min(from - 1, low + 1), share: position - low };
  });

/** An opened depth model; its graph has been checked against its format when it was loaded. */
interface DepthModel extends DepthPorts {
  readonly session: ModelSession;
  readonly contract: PictureContract;
  readonly format: DepthFormat;
}

/**
 * Opens the selected depth model.
 * @throws `layer_unavailable` if none can run here, or if it is no depth model.
 */
async function openDepthModel(context: LaneContext): Promise<DepthModel> {
  const session = await context.model('depth');
  if (session === null)
    throw new AssayError(
      'layer_unavailable',
      'the episode has no recorded depth, and no depth model is available here',
      { advice: 'run assay models pull onnx-community/depth-anything-v2-small' },
    );
  const { contract, model } = session;
  if (contract?.form !== 'depth' || contract.depth === undefined)
    throw new AssayError('layer_unavailable', `the model ${model} is not supported for depth`, {
      advice: 'choose another depth model; run assay models list to see them',
    });
  return { session, contract, format: contract.depth, ...depthPorts(session) };
}
