import { AssayError, type JsonObject } from '#core';
import type { Calibration } from '#core/episode';
import type { LaneContext, LaneEpisode } from '../../lane.ts';
import { Agreement } from './agreement.ts';
import { type DepthMap, lengthSamples, rangeSamples } from './depth-map.ts';
import { type DepthModel, depthModel } from './depth-model.ts';
import { type CameraJson, DepthParts, missingJson } from './depth-parts.ts';
import { estimateFrame } from './estimate-frame.ts';
import { intrinsicsJson } from './intrinsics.ts';
import type { EpisodeDepth } from './recorded-depth.ts';

/** What a model says of the frames of every camera. Throws `layer_unavailable` where none can be run here. */
export async function estimatedDepth(
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
