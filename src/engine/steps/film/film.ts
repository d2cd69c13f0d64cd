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
  type LayerSaying,
  type OverlayCanvas,
  type OverlaySize,
  sizeOfWidth,
} from '#labels/annotation';
import {
  type EpisodeCamera,
  type EpisodeRecording,
  episodeFrames,
  withPictures,
} from '../annotate/episode-frames.ts';
import { EpisodeInputs } from '../annotate/episode-inputs.ts';
import { writeWhole } from '../judge/receipt-files.ts';
import type { FilmRequest } from '../messages.ts';
import type { StepContext } from '../step-context.ts';
import type { FilmAnswer } from '../units.ts';
import { type OpenLayer, openLayers } from './open-layers.ts';

/** Width of a film: small pictures are enlarged, so that words can be read. */
const width_px = { least: 640, most: 1280 } as const;
/** Pictures of a second of a film; a folder of pictures gets one. */
const most_hz = 30;

/**
 * Draws what layers say of an episode over the pictures of one camera. What they say of a picture stands until they say
 * something of a later one. Throws as what reads pictures, `not_found` for a camera that is not there, `output_unwritable`.
 */
export async function film(request: FilmRequest, context: StepContext): Promise<FilmAnswer> {
  const item = parseJson(request.item);
  await using inputs = new EpisodeInputs([item], request, context);
  const input = await inputs.of(item);
  // Another child than the one that is in the middle of a film.
  const media = createMediaService({ children: 1, onAlive: () => context.progress(0, 0) });
  try {
    const layers = await openLayers(parseJson(request.layers), input, { ...context, media });
    const recording = input.recording();
    const camera = filmCamera(recording, layers, request.camera);
    const only = { ...recording, cameras: [camera], depths: [] };
    const rate_hz = request.to.kind === 'png' ? 1 : rateOf(camera.stream);
    const order = drawingOrder(layers.map(({ layer }) => layer));
    const sayings = (time_s: number): LayerSaying[] =>
      order.flatMap((id) => {
        const { layer, parts, open } = layers.find((one) => one.layer === id)!;
        const saying = open.at(camera.stream.id, time_s);
        return saying === null ? [] : [{ layer, parts, saying }];
      });
    const projector = new Projector(request.to, rate_hz, sayings);
    const wish = { cameras: 'all', rate_hz, longest_side_px: width_px.most } as const;
    await withPictures(only, async (root) => {
      const tools = { resources: context.lanes, root, signal: context.signal };
      for await (const { frames, unreadable } of episodeFrames(only, [wish], tools)) {
        if (unreadable !== null) throw new AssayError('media_failed', unreadable);
        for (const frame of frames) {
          context.signal.throwIfAborted();
          await projector.show(frame);
          context.progress(1, 0);
        }
      }
    });
    return { camera: camera.stream.id, rate_hz, ...(await projector.end()) };
  } finally {
    await media.close();
  }
}

/** Pictures of a second, a whole number. */
function rateOf(stream: Stream): number {
  const times = timesOf(stream);
  const last = (times?.length ?? 0) - 1;
  const span_s = times === null || last < 1 ? 0 : times[last] - times[0];
  const rate_hz = span_s > 0 ? last / span_s : (stream.declared_rate_hz ?? 1);
  return Math.round(clamp(Number.isFinite(rate_hz) ? rate_hz : 1, 1, most_hz));
}

/** Draws pictures one after the other and hands them on, all in the size of the first. */
class Projector {
  readonly #to: FilmRequest['to'];
  readonly #rate_hz: number;
  readonly #sayings: (time_s: number) => LayerSaying[];
  #size: OverlaySize | null = null;
  #sink: Awaited<ReturnType<typeof openSink>> | null = null;

  constructor(to: FilmRequest['to'], rate_hz: number, sayings: (time_s: number) => LayerSaying[]) {
    this.#to = to;
    this.#rate_hz = rate_hz;
    this.#sayings = sayings;
  }

  async show(frame: FrameOutcome): Promise<void> {
    const { time_s } = frame;
    const picture: RgbPicture | null = 'pictures' in frame ? frame.pictures[0] : null;
    const sayings = this.#sayings(time_s);
    const covers = sayings.find(({ saying }) => saying.covers !== null)?.saying.covers ?? null;
    const stored = picture?.stored_px ?? covers;
    if (this.#size === null && stored !== null) this.#size = filmSize(stored);
    // Before the first picture there is none to say anything of.
    if (this.#size === null) return;
    const lost = 'reason' in frame && covers === null ? [`no picture: ${frame.reason}`] : [];
    const canvas = await drawOverlays(sayings, this.#size, time_s, {
      notes: [`${time_s.toFixed(2)} s`, ...lost],
    });
    this.#sink ??= await openSink(this.#to, this.#size, this.#rate_hz);
    await this.#sink.add(time_s, covers === null ? picture : null, canvas);
  }

  async end(): Promise<Omit<FilmAnswer, 'camera' | 'rate_hz'>> {
    if (this.#sink === null || this.#size === null)
      throw new AssayError('media_failed', 'no picture of the camera can be decoded');
    const [width_px, height_px] = this.#size;
    return { pictures: await this.#sink.close(), width_px, height_px };
  }
}

/** Rows and columns come in pairs in video. */
function filmSize(stored: OverlaySize): OverlaySize {
  const [width, height] = sizeOfWidth(clamp(stored[0], width_px.least, width_px.most), stored);
  return [Math.max(2, width - (width % 2)), Math.max(2, height - (height % 2))];
}

/** The camera that is named, else the first that a layer says something of, else the first. Throws `not_found`. */
function filmCamera(
  { cameras, depths }: Pick<EpisodeRecording, 'cameras' | 'depths'>,
  layers: readonly OpenLayer[],
  named: string | undefined,
): EpisodeCamera {
  const all = [...cameras, ...depths];
  const said = layers.flatMap(({ open }) => open.cameras ?? [])[0];
  const wanted = named ?? said ?? all[0]?.stream.id;
  const camera = all.find(({ stream }) => stream.id === wanted);
  if (camera !== undefined) return camera;
  const has = all.map(({ stream }) => stream.id).join(', ');
  throw new AssayError(
    'not_found',
    wanted === undefined ? 'the episode has no camera' : `the episode has no camera ${wanted}`,
    { advice: has === '' ? 'leave --overlay out' : `it has ${has}` },
  );
}

/** Takes pictures in order of time. */
interface Sink {
  /** `picture`: null: there is none to draw over. */
  add(time_s: number, picture: RgbPicture | null, canvas: OverlayCanvas): Promise<void>;
  /** Answers how many pictures there are. */
  close(): Promise<number>;
}

/** Throws `output_unwritable`. */
async function openSink(to: FilmRequest['to'], size: OverlaySize, rate_hz: number): Promise<Sink> {
  return to.kind === 'mp4' ? mp4Sink(to.path, size, rate_hz) : pngSink(to.path);
}

/** A longer time without pictures is shortened to it; each picture says its own time. */
const longestGap_s = 10;

/** A picture stands until the next one was taken. */
async function mp4Sink(path: string, [width_px, height_px]: OverlaySize, rate_hz: number): Promise<Sink> {
  const settings = { width_px, height_px, rate_hz, quality: 22, keyframe_every: 2 * rate_hz };
  const writer = await openVideoWriter(path, settings);
  let before: { readonly yuv: Uint8Array; readonly time_s: number } | null = null;
  /** How far rounding to whole frames has left the film behind. */
  let owed = 0;
  return {
    add: async (time_s, picture, canvas) => {
      if (before !== null) {
        owed += Math.min(longestGap_s, Math.max(0, time_s - before.time_s)) * rate_hz;
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

/** Named by when they were taken: `000012.345s.png`. */
function pngSink(folder: string): Sink {
  makeFolder(folder);
  let pictures = 0;
  return {
    add: async (time_s, picture, canvas) => {
      const name = `${Math.max(0, time_s).toFixed(3).padStart(10, '0')}s.png`;
      writeWhole(join(folder, name), await composePng(picture, canvas));
      pictures++;
    },
    close: async () => pictures,
  };
}
