import { AssayError, sha256 } from '#core';
import type { LayerId, Receipt } from '#core/api';
import {
  ClassNames,
  composePng,
  drawOverlays,
  type OpenOverlay,
  type OverlayParts,
  overlayOf,
  pictureSize,
  renameClasses,
  sizeOfWidth,
} from '#labels/annotation';
import { annotationRows, type episodeRows, ontologyRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import {
  type EpisodeLayer,
  layerNotFound,
  readArtifact,
  readStoredRange,
  requireEpisode,
} from '../annotations.ts';
import { loadEpisode, readReceipt } from '../load-episode.ts';
import { type FrameService, frameService, type RenderedImage } from './frame-service.ts';
import { type FrameRequest, renderFrame } from './get-frame.ts';

/** A layer to draw over a frame. */
export interface OverlayQuery extends EpisodeLayer {
  readonly layer: LayerId;
  /** Camera to draw over. Defaults to the first that the layer has annotated. */
  readonly camera?: string | undefined;
  readonly at_s: number;
  readonly width_px: number;
}

/** A layer over a frame, drawn on demand. */
export interface OverlayPicture {
  /** Changes if the recording, the annotation, a class name or `drawingVersion` changes. */
  readonly etag: string;
  /** Draws the image as PNG. */
  picture(): Promise<RenderedImage>;
}

/** Raise it when the drawing of annotations changes, so that clients do not reuse cached images. */
const drawingVersion = 1;

/**
 * Returns a layer's annotation drawn over a frame of an episode; the image is drawn on demand. Throws `not_found`
 * with advice on how to produce the layer, `invalid_request` for a time outside the episode. Drawing throws as the
 * frame and the annotation do.
 */
export async function getOverlay(store: Store, call: Call, query: OverlayQuery): Promise<OverlayPicture> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode_id, layer, camera, at_s, width_px } = query;
  await requireEpisode(scope, query);
  const found = await loadEpisode(scope, episode_id);
  requireTimeWithin(at_s, found.episode);
  const row = await annotationRows.getAnnotation(scope, episode_id, layer);
  if (row === null) throw layerNotFound(query);
  const parts = row.parts.map(({ name, hash }) => [name, hash]);
  const { renames } = await ontologyRows.getOntology(scope, query.project_id);
  const content_hashes = [found.receipt.content_hash, row.artifact_hash, parts, renames];
  const cache_key = JSON.stringify([drawingVersion, content_hashes, layer, camera ?? null, at_s, width_px]);
  const etag = sha256(cache_key).slice(0, 32);
  const service = frameService(store);
  const make = async (): Promise<RenderedImage> => {
    const artifact = renameClasses(layer, await readArtifact(store, row), new ClassNames(renames));
    const overlay = overlayOf(layer)?.open(artifact);
    if (overlay === undefined)
      throw new AssayError('not_found', `${layer} cannot be drawn over frames`, {
        advice: 'get the annotation itself instead',
      });
    const receipt = await readReceipt(store, found.receipt);
    const stream_id = chooseCamera(receipt, overlay, query);
    return drawOverlay({ store, scope, service, found, row, layer, overlay, stream_id, at_s, width_px });
  };
  return { etag, picture: () => service.image(`${scope.tenant_id} overlay ${etag}`, make) };
}

function requireTimeWithin(at_s: number, { duration_s }: episodeRows.EpisodeRow): void {
  if (at_s >= 0 && at_s <= duration_s) return;
  throw new AssayError('invalid_request', `${at_s} s is outside the episode`, {
    advice: `use a time from 0 to ${duration_s} s`,
    details: { duration_s },
  });
}

/** Roles of streams that hold images. */
const imageRoles: ReadonlySet<string> = new Set(['camera', 'depth']);

function chooseCamera(
  { streams }: Receipt,
  { cameras }: OpenOverlay,
  { camera, layer }: Pick<OverlayQuery, 'camera' | 'layer'>,
): string {
  const imageStreams = streams.filter(({ role }) => imageRoles.has(role)).map(({ id }) => id);
  const annotated = cameras ?? imageStreams;
  if (camera !== undefined && !imageStreams.includes(camera))
    throw new AssayError('not_found', `the episode has no camera ${camera}`, {
      advice:
        imageStreams.length > 0
          ? `available cameras: ${imageStreams.join(', ')}`
          : 'the episode has no cameras',
    });
  const chosen = camera ?? annotated[0];
  if (chosen === undefined)
    throw new AssayError(
      'not_found',
      imageStreams.length === 0
        ? 'the episode has no camera'
        : `${layer} has no output for any frame of the episode`,
      { advice: 'get the annotation itself for the reason' },
    );
  if (!annotated.includes(chosen))
    throw new AssayError('not_found', `${layer} has no output for the camera ${chosen}`, {
      advice:
        annotated.length > 0
          ? `cameras with output: ${annotated.join(', ')}`
          : 'get the annotation itself for the reason',
    });
  return chosen;
}

interface OverlayRequest extends Pick<FrameRequest, 'store' | 'scope' | 'service' | 'found'> {
  readonly row: annotationRows.AnnotationRow;
  readonly layer: LayerId;
  readonly overlay: OpenOverlay;
  readonly stream_id: string;
  readonly at_s: number;
  readonly width_px: number;
}

/** JPEG quality of the frame below the overlay; high, so that its edges stay sharp. */
const baseQuality = 95;
/** Annotations round timestamps to microseconds. */
const stampRounding_s = 1e-6;

/** Draws the layer over the frame that it has annotated. Throws as `renderFrame`, `readStoredRange`. */
async function drawOverlay(drawing: OverlayRequest): Promise<RenderedImage> {
  const { overlay, stream_id, at_s, width_px, row, store, service } = drawing;
  const annotationAt = overlay.at(stream_id, at_s);
  if (annotationAt === null)
    throw new AssayError('not_found', `${row.layer} has no output for the camera ${stream_id} at this time`);
  const shown_s = annotationAt.time_s ?? at_s;
  const query = {
    ...{ episode_id: row.episode_id, stream_id, width_px, quality: baseQuality },
    at_s: annotationAt.time_s === null ? at_s : annotationAt.time_s + stampRounding_s,
  };
  const frame = annotationAt.opaque_size === null ? await renderFrame({ ...drawing, query }) : null;
  const base = frame?.jpeg ?? null;
  const size = sizeOfWidth(width_px, annotationAt.opaque_size ?? (await pictureSize(base!)));
  const parts = openParts(store, service, row);
  const canvas = await drawOverlays([{ layer: drawing.layer, drawing: annotationAt, parts }], size, shown_s);
  return { bytes: await composePng(base, canvas), time_s: frame?.time_s ?? shown_s };
}

function openParts(
  store: Pick<Store, 'blobs'>,
  service: FrameService,
  row: annotationRows.AnnotationRow,
): OverlayParts {
  const bytes = async (name: string) => {
    const part = row.parts.find((one) => one.name === name);
    if (part === undefined)
      throw new AssayError('hash_mismatch', `the annotation refers to a missing part: ${name}`);
    return readStoredRange(store, row, part);
  };
  return { bytes, samples: async (name) => service.samples(await bytes(name)) };
}
