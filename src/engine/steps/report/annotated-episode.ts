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
import { captionsShape, segmentsShape } from '../annotated/read-annotated.ts';

const shown = z.array(z.array(z.object({ time_s: z.number(), width_px: z.number(), height_px: z.number() })));
type Shown = z.infer<typeof shown>[number][number];
const cameras = z.object({
  sketch: z.object({ cameras: z.array(z.object({ id: z.string() })) }).nullable(),
});

/** What layers say of an episode, wherever it lies. */
interface SaidLayers {
  readonly layers: readonly LayerId[];
  readonly artifact: (layer: LayerId) => Promise<unknown>;
  readonly parts: (layer: LayerId) => OverlayParts;
}

/** What layers say of a picture that stands for longer than this is not drawn over a later one. */
const stale_s = 2;
const width_px = 640;

/** An episode of a report with what layers say of it, drawn over its pictures. Throws what reading it throws. */
export async function annotatedEpisode(
  rendered: RenderedEpisode,
  said: SaidLayers,
): Promise<RenderedEpisode> {
  if (said.layers.length === 0) return rendered;
  const { sketch } = cameras.parse(JSON.parse(rendered.data));
  const pictures = rendered.pictures === null ? [] : shown.parse(JSON.parse(rendered.pictures));
  const has = (layer: LayerId) => said.layers.includes(layer);
  const annotations = {
    segments: has('segments') ? segmentsShape.parse(await said.artifact('segments')).segments : [],
    captions: has('captions') ? captionsShape.parse(await said.artifact('captions')).windows : [],
    overlays: await overlaysOf(said, sketch?.cameras.map(({ id }) => id) ?? [], pictures),
  };
  return { ...rendered, annotations: JSON.stringify(annotations) };
}

/** By camera and picture: each layer's drawing. */
async function overlaysOf(said: SaidLayers, ids: readonly string[], pictures: z.infer<typeof shown>) {
  const opened: Opened[] = [];
  if (pictures.some((thumbnails) => thumbnails.length > 0))
    for (const layer of drawingOrder(said.layers)) {
      const open = overlayOf(layer)!.open(await said.artifact(layer));
      if (open.cameras !== null) opened.push({ layer, open, parts: said.parts(layer) });
    }
  const byCamera = [];
  for (const [at, thumbnails] of pictures.entries()) {
    const byPicture = [];
    for (const picture of thumbnails) {
      const layers = [];
      let lines = 0;
      for (const own of opened) {
        const canvas = await drawnOver(own, ids[at], picture, lines);
        if (canvas === null) continue;
        lines = canvas.lines;
        layers.push({ layer: own.layer, svg: await overlaySvg(canvas) });
      }
      byPicture.push(layers);
    }
    byCamera.push(byPicture);
  }
  return byCamera;
}

interface Opened {
  readonly layer: LayerId;
  readonly open: OpenOverlay;
  readonly parts: OverlayParts;
}

async function drawnOver(
  { layer, open, parts }: Opened,
  camera: string,
  { time_s, width_px: width, height_px: height }: Shown,
  lines: number,
): Promise<OverlayCanvas | null> {
  const saying = open.at(camera, time_s);
  if (saying === null || Math.abs((saying.time_s ?? time_s) - time_s) > stale_s) return null;
  return drawOverlays([{ layer, saying, parts }], sizeOfWidth(width_px, [width, height]), time_s, { lines });
}
