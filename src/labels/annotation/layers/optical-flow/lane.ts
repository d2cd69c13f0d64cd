import { AssayError, type JsonObject, limits, significant } from '#core';
import { FarnebackFlow, farnebackSettings } from '#labels/models';
import { type Lane, type LaneContext, type LaneEpisode, type LaneOutput, mainPart } from '../../lane.ts';
import { CameraFlow } from './camera-flow.ts';
import { FlowPlanes, unitsPerPixel } from './flow-planes.ts';

export const lane: Lane = { version: 1, requires: [], run: measureFlow };

const method = 'opencv/farneback';

/** How far each pixel moves from one sampled frame of a camera to the next; the way back tells how far to trust it. */
async function measureFlow(_: LaneEpisode, context: LaneContext): Promise<LaneOutput> {
  const chosen = await context.model('optical_flow');
  if (chosen !== null)
    throw new AssayError('layer_unavailable', `this version has no way to ask ${chosen.model} for flow`, {
      advice: `choose ${method} for the surface optical_flow`,
    });
  using flow = await FarnebackFlow.create();
  const planes = new FlowPlanes();
  const cameras = new Map<string, CameraFlow>();
  const onPicture = (): void => {
    context.signal.throwIfAborted();
    context.progress();
  };
  for await (const batch of context.frames()) {
    const { camera } = batch;
    const own = cameras.get(camera) ?? new CameraFlow(camera, flow, planes);
    cameras.set(camera, own);
    own.add(batch, onPicture);
  }
  return outputOf([...cameras.values()], planes);
}

function outputOf(cameras: readonly CameraFlow[], planes: FlowPlanes): LaneOutput {
  const pairs = cameras.reduce((sum, own) => sum + own.pairs, 0);
  const pixels = cameras.reduce((sum, own) => sum + own.pixels, 0);
  const consistent_px = cameras.reduce((sum, own) => sum + own.consistent_px, 0);
  const json = artifactOf(cameras);
  return {
    parts: [{ name: mainPart, media_type: 'application/json', json }, ...planes.parts()],
    counts: { cameras: cameras.filter((own) => own.pairs > 0).length, pairs },
    quality: pixels > 0 ? significant(consistent_px / pixels, 4) : null,
    quality_reason: pixels > 0 ? null : 'no camera has two frames that can be compared',
  };
}

const artifactOf = (cameras: readonly CameraFlow[]): JsonObject => ({
  cameras: cameras.map((own) => own.json()),
  method: { id: method, settings: farnebackSettings },
  planes: {
    byte_order: 'little',
    kept_bytes_at_most: limits.annotation.flow_bytes.value,
    order: ['x', 'y'],
    px_per_unit: 1 / unitsPerPixel,
    rows: 'from the top, of width_px values each',
    type: 'int16',
  },
  schema: 'assay/optical-flow/v1',
});
