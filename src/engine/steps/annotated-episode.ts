import { z } from 'zod';
import type { LayerId } from '#core/api';
import {
  drawingOrder,
  drawOverlays,
  type OpenOverlay,
  type OverlayCanvas,
  type OverlayParts,
  overlayOf,
  overlaySvg,
  sizeOfWidth,
} from '#labels/annotation';
import type { RenderedEpisode } from '#quality/report';
import { captionsShape, segmentsShape } from './read-annotations.ts';

const thumbnailsSchema = z.array(
  z.array(z.object({ time_s: z.number(), width_px: z.number(), height_px: z.number() })),
);
type Thumbnail = z.infer<typeof thumbnailsSchema>[number][number];
const sketchSchema = z.object({
  sketch: z.object({ cameras: z.array(z.object({ id: z.string() })) }).nullable(),
});

/** Access to an episode's annotations, wherever they are stored. */
interface LayerReader {
  readonly layers: readonly LayerId[];
  readonly artifact: (layer: LayerId) => Promise<unknown>;
  readonly parts: (layer: LayerId) => OverlayParts;
}

/** Maximum age of an annotation to be drawn over a later picture. */
const maxAge_s = 2;
const width_px = 640;

/**
 * Returns a report episode with its segments, captions and the overlays of its pictures; unchanged if the reader has no
 * layers. Throws reading errors.
 */
export async function addAnnotations(
  rendered: RenderedEpisode,
  reader: LayerReader,
): Promise<RenderedEpisode> {
  if (reader.layers.length === 0) return rendered;
  const { sketch } = sketchSchema.parse(JSON.parse(rendered.data));
  const pictures = rendered.pictures === null ? [] : thumbnailsSchema.parse(JSON.parse(rendered.pictures));
  const has = (layer: LayerId) => reader.layers.includes(layer);
  const annotations = {
    segments: has('segments') ? segmentsShape.parse(await reader.artifact('segments')).segments : [],
    captions: has('captions') ? captionsShape.parse(await reader.artifact('captions')).windows : [],
    overlays: await drawAllOverlays(reader, sketch?.cameras.map(({ id }) => id) ?? [], pictures),
  };
  return { ...rendered, annotations: JSON.stringify(annotations) };
}

/** Returns the drawing of each layer, by camera and picture. */
async function drawAllOverlays(
  reader: LayerReader,
  ids: readonly string[],
  pictures: z.infer<typeof thumbnailsSchema>,
) {
  const opened: OpenLayer[] = [];
  if (pictures.some((thumbnails) => thumbnails.length > 0))
    for (const layer of drawingOrder(reader.layers)) {
      const open = overlayOf(layer)!.open(await reader.artifact(layer));
      if (open.cameras !== null) opened.push({ layer, open, parts: reader.parts(layer) });
    }
  const byCamera = [];
  for (const [at, thumbnails] of pictures.entries()) {
    const byPicture = [];
    for (const picture of thumbnails) {
      const layers = [];
      let lines = 0;
      for (const own of opened) {
        const canvas = await drawLayer(own, ids[at], picture, lines);
        if (canvas === null) continue;
        lines = canvas.noteLines;
        layers.push({ layer: own.layer, svg: await overlaySvg(canvas) });
      }
      byPicture.push(layers);
    }
    byCamera.push(byPicture);
  }
  return byCamera;
}

interface OpenLayer {
  readonly layer: LayerId;
  readonly open: OpenOverlay;
  readonly parts: OverlayParts;
}

async function drawLayer(
  { layer, open, parts }: OpenLayer,
  camera: string,
  { time_s, width_px: width, height_px: height }: Thumbnail,
  lines: number,
): Promise<OverlayCanvas | null> {
  const drawing = open.at(camera, time_s);
  if (drawing === null || Math.abs((drawing.time_s ?? time_s) - time_s) > maxAge_s) return null;
  return drawOverlays([{ layer, drawing, parts }], sizeOfWidth(width_px, [width, height]), time_s, { lines });
}
