import { AssayError } from '#core';
import type { LayerId } from '#core/api';
import {
  composePng,
  drawOverlays,
  type OpenOverlay,
  type OverlayParts,
  sizeOf,
  sizeOfWidth,
} from '#labels/annotation';
import type { annotationRows, Store } from '#store';
import { readStored } from '../annotations/read-artifact.ts';
import type { FrameService, Shown } from '../frames/frame-service.ts';
import { type Making, makePicture } from '../frames/get-frame.ts';

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
export async function drawOverlay(drawing: Drawing): Promise<Shown> {
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
