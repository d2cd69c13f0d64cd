import { AssayError, sha256 } from '#core';
import type { LayerId, Receipt } from '#core/api';
import {
  composePng,
  drawOverlays,
  type OpenOverlay,
  type OverlayParts,
  overlayOf,
  sizeOf,
  sizeOfWidth,
} from '#labels/annotation';
import { annotationRows, type episodeRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { notCarried } from '../annotations/get-episode-annotation.ts';
import { demandEpisode, readArtifact, readStored } from '../annotations/load-annotation.ts';
import type { EpisodeLayer } from '../annotations/views.ts';
import { type FrameService, frameService, type Shown } from '../frames/frame-service.ts';
import { type Making, makePicture } from '../frames/get-frame.ts';
import { loadEpisode } from '../load-episode.ts';
import { readReceipt } from '../read-receipt.ts';

export interface OverlayQuery extends EpisodeLayer {
  readonly layer: LayerId;
  /** Absent: the first that the layer says something of. */
  readonly camera?: string | undefined;
  readonly at_s: number;
  readonly width_px: number;
}

/** A layer over a picture, not drawn yet. */
export interface OverlayPicture {
  /** Changes when the recording, the annotation or the way of drawing does. */
  readonly etag: string;
  /** As PNG. */
  picture(): Promise<Shown>;
}

/** One more whenever the same annotation is drawn otherwise: what clients keep is then drawn anew. */
const drawing = 1;

/**
 * What a layer says of a picture of an episode, drawn over it. Throws `not_found`, which tells how to get a layer that the
 * episode does not carry, `invalid_request` for a time outside; its picture throws what the frame and the annotation do.
 */
export async function getOverlay(store: Store, call: Call, query: OverlayQuery): Promise<OverlayPicture> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode_id, layer, camera, at_s, width_px } = query;
  await demandEpisode(scope, query);
  const found = await loadEpisode(scope, episode_id);
  demandWithin(at_s, found.episode);
  const row = await annotationRows.getAnnotation(scope, episode_id, layer);
  if (row === null) throw notCarried(query);
  const parts = row.parts.map(({ name, hash }) => [name, hash]);
  const made = [found.receipt.content_hash, row.artifact_hash, parts];
  const asked = JSON.stringify([drawing, made, layer, camera ?? null, at_s, width_px]);
  const etag = sha256(asked).slice(0, 32);
  const service = frameService(store);
  const make = async (): Promise<Shown> => {
    const overlay = overlayOf(layer)?.open(await readArtifact(store, row));
    if (overlay === undefined)
      throw new AssayError('not_found', `${layer} is not drawn over pictures`, {
        advice: 'read the annotation instead',
      });
    const receipt = await readReceipt(store, found.receipt);
    const stream_id = chosenCamera(receipt, overlay, query);
    return drawOverlay({ store, scope, service, found, row, layer, overlay, stream_id, at_s, width_px });
  };
  return { etag, picture: () => service.picture(`${scope.tenant_id} overlay ${etag}`, make) };
}

function demandWithin(at_s: number, { duration_s }: episodeRows.EpisodeRow): void {
  if (at_s >= 0 && at_s <= duration_s) return;
  throw new AssayError('invalid_request', `${at_s} s is outside the episode`, {
    advice: `it lasts ${duration_s} s: ask for t between 0 and that`,
    details: { duration_s },
  });
}

/** Roles of streams that hold pictures. */
const pictured: ReadonlySet<string> = new Set(['camera', 'depth']);

function chosenCamera(
  { streams }: Receipt,
  { cameras }: OpenOverlay,
  { camera, layer }: Pick<OverlayQuery, 'camera' | 'layer'>,
): string {
  const own = streams.filter(({ role }) => pictured.has(role)).map(({ id }) => id);
  const said = cameras ?? own;
  if (camera !== undefined && !own.includes(camera))
    throw new AssayError('not_found', `the episode has no camera ${camera}`, {
      advice: own.length > 0 ? `it has ${own.join(', ')}` : 'it has none',
    });
  const chosen = camera ?? said[0];
  if (chosen === undefined)
    throw new AssayError(
      'not_found',
      own.length === 0
        ? 'the episode has no camera to draw over'
        : `${layer} says nothing of any picture of the episode`,
      { advice: 'read the annotation instead: it says why' },
    );
  if (!said.includes(chosen))
    throw new AssayError('not_found', `${layer} says nothing of the camera ${chosen}`, {
      advice:
        said.length > 0 ? `it speaks of ${said.join(', ')}` : 'read the annotation instead: it says why',
    });
  return chosen;
}

interface Drawing extends Pick<Making, 'store' | 'scope' | 'service' | 'found'> {
  readonly row: annotationRows.AnnotationRow;
  readonly layer: LayerId;
  readonly overlay: OpenOverlay;
  readonly stream_id: string;
  readonly at_s: number;
  readonly width_px: number;
}

/** Lines of the picture below stay as they are. */
const quality = 95;
/** Stamps in annotations are rounded to microseconds. */
const rounding_s = 1e-6;

/** Draws over the picture that the layer speaks of. Throws as `makePicture`, `readStored`. */
async function drawOverlay(drawing: Drawing): Promise<Shown> {
  const { overlay, stream_id, at_s, width_px, row, store, service } = drawing;
  const saying = overlay.at(stream_id, at_s);
  if (saying === null)
    throw new AssayError('not_found', `${row.layer} says nothing of the camera ${stream_id} at that time`);
  const shown_s = saying.time_s ?? at_s;
  const query = {
    ...{ episode_id: row.episode_id, stream_id, width_px, quality },
    at_s: saying.time_s === null ? at_s : saying.time_s + rounding_s,
  };
  const frame = saying.covers === null ? await makePicture({ ...drawing, query }) : null;
  const base = frame?.jpeg ?? null;
  const size = sizeOfWidth(width_px, saying.covers ?? (await sizeOf(base!)));
  const parts = storedParts(store, service, row);
  const canvas = await drawOverlays([{ layer: drawing.layer, saying, parts }], size, shown_s);
  return { bytes: await composePng(base, canvas), time_s: frame?.time_s ?? shown_s };
}

function storedParts(
  store: Pick<Store, 'blobs'>,
  service: FrameService,
  row: annotationRows.AnnotationRow,
): OverlayParts {
  const bytes = async (name: string) => {
    const part = row.parts.find((one) => one.name === name);
    if (part === undefined)
      throw new AssayError('hash_mismatch', `the annotation names a part ${name} that it does not have`);
    return readStored(store, row, part);
  };
  return { bytes, samples: async (name) => service.samples(await bytes(name)) };
}
