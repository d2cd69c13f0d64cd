import { join } from 'node:path';
import { AssayError, clamp, parseJson } from '#core';
import { type Stream, timesOf } from '#core/episode';
import { createMediaService, type FrameOutcome, type RgbPicture } from '#io/media';
import { makeFolder } from '#io/sources';
import { openVideoWriter, rgbToYuv420 } from '#io/video';
import {
  composePng,
  composeRgb,
  drawingOrder,
  drawOverlays,
  type LayerDrawing,
  type OverlayCanvas,
  type OverlaySize,
  sizeOfWidth,
} from '#labels/annotation';
import {
  type EpisodeCamera,
  type EpisodeRecording,
  episodeFrames,
  withPictureFiles,
} from './annotate/episode-frames.ts';
import { EpisodeInputs } from './annotate/episode-inputs.ts';
import { writeAtomically } from './judge/receipt-files.ts';
import type { FilmRequest, StepContext } from './messages.ts';
import { type OpenLayer, openLayers } from './open-layers.ts';
import type { FilmAnswer } from './units.ts';

/** Width limits of a film; small pictures are enlarged, so that labels are readable. */
const width_px = { min: 640, max: 1280 } as const;
/** Maximum frame rate of a film; a folder of pictures gets one per second. */
const maxRate_hz = 30;

/**
 * Draws an episode's annotations over the pictures of one camera into a new MP4 file or folder of PNG pictures, one per
 * second. An annotation is shown until the next one of its layer. Throws reading errors, `not_found` for a missing camera,
 * `output_unwritable`.
 */
export async function drawOverlayFilm(request: FilmRequest, context: StepContext): Promise<FilmAnswer> {
  const item = parseJson(request.item);
  await using inputs = new EpisodeInputs([item], request, context);
  const input = await inputs.read(item);
  // A separate decoder, since the lanes' decoder is in the middle of the camera.
  const media = createMediaService({ children: 1, onAlive: () => context.progress(0, 0) });
  try {
    const layers = await openLayers(parseJson(request.layers), input, { ...context, media });
    const recording = input.recording();
    const camera = chooseCamera(recording, layers, request.camera);
    const only = { ...recording, cameras: [camera], depths: [] };
    const rate_hz = request.to.kind === 'png' ? 1 : frameRate(camera.stream);
    const order = drawingOrder(layers.map(({ layer }) => layer));
    const drawings = (time_s: number): LayerDrawing[] =>
      order.flatMap((id) => {
        const { layer, parts, open } = layers.find((one) => one.layer === id)!;
        const drawing = open.at(camera.stream.id, time_s);
        return drawing === null ? [] : [{ layer, parts, drawing }];
      });
    const projector = new OverlayRenderer(request.to, rate_hz, drawings);
    const wish = { cameras: 'all', rate_hz, longest_side_px: width_px.max } as const;
    await withPictureFiles(only, async (root) => {
      const tools = { resources: context.lanes, root, signal: context.signal };
      for await (const { frames, unreadable } of episodeFrames(only, [wish], tools)) {
        if (unreadable !== null) throw new AssayError('media_failed', unreadable);
        for (const frame of frames) {
          context.signal.throwIfAborted();
          await projector.draw(frame);
          context.progress(1, 0);
        }
      }
    });
    return { camera: camera.stream.id, rate_hz, ...(await projector.end()) };
  } finally {
    await media.close();
  }
}

/** Returns the camera's frame rate as an integer between 1 and `maxRate_hz`. */
function frameRate(stream: Stream): number {
  const times = timesOf(stream);
  const last = (times?.length ?? 0) - 1;
  const span_s = times === null || last < 1 ? 0 : times[last] - times[0];
  const rate_hz = span_s > 0 ? last / span_s : (stream.declared_rate_hz ?? 1);
  return Math.round(clamp(Number.isFinite(rate_hz) ? rate_hz : 1, 1, maxRate_hz));
}

/** Draws pictures one after another and writes them, all in the size of the first. */
class OverlayRenderer {
  readonly #to: FilmRequest['to'];
  readonly #rate_hz: number;
  readonly #drawings: (time_s: number) => LayerDrawing[];
  #size: OverlaySize | null = null;
  #sink: Awaited<ReturnType<typeof openSink>> | null = null;

  constructor(to: FilmRequest['to'], rate_hz: number, drawings: (time_s: number) => LayerDrawing[]) {
    this.#to = to;
    this.#rate_hz = rate_hz;
    this.#drawings = drawings;
  }

  async draw(frame: FrameOutcome): Promise<void> {
    const { time_s } = frame;
    const picture: RgbPicture | null = 'pictures' in frame ? frame.pictures[0] : null;
    const drawings = this.#drawings(time_s);
    const opaque_size =
      drawings.find(({ drawing }) => drawing.opaque_size !== null)?.drawing.opaque_size ?? null;
    const stored = picture?.stored_px ?? opaque_size;
    if (this.#size === null && stored !== null) this.#size = filmSize(stored);
    // Annotations before the first picture cannot be drawn.
    if (this.#size === null) return;
    const lost = 'reason' in frame && opaque_size === null ? [`no image: ${frame.reason}`] : [];
    const canvas = await drawOverlays(drawings, this.#size, time_s, {
      notes: [`${time_s.toFixed(2)} s`, ...lost],
    });
    this.#sink ??= await openSink(this.#to, this.#size, this.#rate_hz);
    await this.#sink.add(time_s, opaque_size === null ? picture : null, canvas);
  }

  async end(): Promise<Omit<FilmAnswer, 'camera' | 'rate_hz'>> {
    if (this.#sink === null || this.#size === null)
      throw new AssayError('media_failed', 'no frame of the camera can be decoded');
    const [width_px, height_px] = this.#size;
    return { pictures: await this.#sink.close(), width_px, height_px };
  }
}

/** Returns an even size, as video requires. */
function filmSize(stored: OverlaySize): OverlaySize {
  const [width, height] = sizeOfWidth(clamp(stored[0], width_px.min, width_px.max), stored);
  return [Math.max(2, width - (width % 2)), Math.max(2, height - (height % 2))];
}

/** Returns the named camera, else the first with annotations, else the first. Throws `not_found`. */
function chooseCamera(
  { cameras, depths }: Pick<EpisodeRecording, 'cameras' | 'depths'>,
  layers: readonly OpenLayer[],
  requested: string | undefined,
): EpisodeCamera {
  const all = [...cameras, ...depths];
  const annotated = layers.flatMap(({ open }) => open.cameras ?? [])[0];
  const id = requested ?? annotated ?? all[0]?.stream.id;
  const camera = all.find(({ stream }) => stream.id === id);
  if (camera !== undefined) return camera;
  const has = all.map(({ stream }) => stream.id).join(', ');
  throw new AssayError(
    'not_found',
    id === undefined ? 'the episode has no camera' : `the episode has no camera ${id}`,
    { advice: has === '' ? 'remove --overlay' : `its cameras: ${has}` },
  );
}

/** Output for pictures in time order. */
interface Sink {
  /** Adds a picture: `canvas` over `picture`, which is null if there is no background. */
  add(time_s: number, picture: RgbPicture | null, canvas: OverlayCanvas): Promise<void>;
  /** Finishes the output and returns the number of pictures. */
  close(): Promise<number>;
}

/** Opens the output. Throws `output_unwritable`. */
async function openSink(to: FilmRequest['to'], size: OverlaySize, rate_hz: number): Promise<Sink> {
  return to.kind === 'mp4' ? mp4Sink(to.path, size, rate_hz) : pngSink(to.path);
}

/** Longer gaps without pictures are shortened to this; each picture shows its own time. */
const maxGap_s = 10;

/** Returns a sink that writes a film; each picture is shown until the next. */
async function mp4Sink(path: string, [width_px, height_px]: OverlaySize, rate_hz: number): Promise<Sink> {
  const settings = { width_px, height_px, rate_hz, quality: 22, keyframe_every: 2 * rate_hz };
  const writer = await openVideoWriter(path, settings);
  let before: { readonly yuv: Uint8Array; readonly time_s: number } | null = null;
  /** Frames that rounding has left out so far. */
  let owed = 0;
  return {
    add: async (time_s, picture, canvas) => {
      if (before !== null) {
        owed += Math.min(maxGap_s, Math.max(0, time_s - before.time_s)) * rate_hz;
        for (; owed >= 0.5; owed--) await writer.write(before.yuv);
      }
      const rgb = await composeRgb(picture, canvas);
      before = { yuv: rgbToYuv420({ rgb, width_px, height_px }), time_s };
    },
    close: async () => {
      if (before !== null) await writer.write(before.yuv);
      await writer.close();
      return writer.frames;
    },
  };
}

/** Returns a sink that writes one PNG per picture, named by its time: `000012.345s.png`. */
function pngSink(folder: string): Sink {
  makeFolder(folder);
  let pictures = 0;
  return {
    add: async (time_s, picture, canvas) => {
      const name = `${Math.max(0, time_s).toFixed(3).padStart(10, '0')}s.png`;
      writeAtomically(join(folder, name), await composePng(picture, canvas));
      pictures++;
    },
    close: async () => pictures,
  };
}
