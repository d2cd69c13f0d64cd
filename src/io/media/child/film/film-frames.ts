import type { FrameLocator } from '#core/episode';
import type { FilmRequest } from '../../film.ts';
import type { FrameOutcome, PlannedFrame } from '../../media-port.ts';
import type { BatchRequest } from '../../protocol.ts';
import { keptFrames } from '../decode/kept-frames.ts';
import { pictureFiles } from '../decode/picture-files.ts';
import { inside } from '../inside.ts';
import { Unshown } from '../shown-frame.ts';
import { pictureGroups } from './picture-groups.ts';

type Frames = AsyncGenerator<FrameOutcome, void, undefined>;
type LocatorOf<Type extends FrameLocator['type']> = Extract<FrameLocator, { type: Type }>;

/** Every frame of the span, in the order of recording, with its time since the start of the episode. */
export async function* filmFrames(request: FilmRequest): Frames {
  const { locator } = request.frames;
  switch (locator.type) {
    case 'missing':
      throw new Unshown(locator.reason);
    case 'video':
      return yield* ofVideo(locator, request);
    case 'image-files':
      return yield* ofFiles(locator, request);
    case 'embedded':
      return yield* ofSpool(locator, request);
  }
}

async function* ofVideo(locator: LocatorOf<'video'>, request: FilmRequest): Frames {
  const path = inside(request.root, locator.path, request.within);
  if (path === null) throw new Unshown(`there is no file ${locator.path}`);
  const { videoFrames } = await import('../decode/video-frames.ts');
  if (locator.unstamped === true) {
    for (const frame of videoFrames(path, locator, asBatch(request)))
      if (lies(frame.time_s, request)) yield frame;
    return;
  }
  const { from_s, until_s } = request;
  const ends = [locator.to_s, until_s === null ? null : locator.from_s + until_s];
  const to_s = ends.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
  const part = { ...locator, from_s: locator.from_s + from_s, to_s };
  for (const frame of videoFrames(path, part, asBatch(request)))
    yield { ...frame, time_s: frame.time_s + from_s };
}

function ofFiles({ paths }: LocatorOf<'image-files'>, request: FilmRequest): Frames {
  const { stamps_s, declared_rate_hz } = request;
  const plan = [...paths.keys()]
    .map((row) => planned(row, stamps_s?.[row] ?? row / (declared_rate_hz ?? 1)))
    .filter(({ time_s }) => lies(time_s, request));
  return pictureFiles(paths, plan, asBatch(request));
}

async function* ofSpool({ encoding }: LocatorOf<'embedded'>, request: FilmRequest): Frames {
  const { spool } = request;
  if (spool === undefined) throw new Unshown('the pictures were not read out of the recording');
  for (const kept of pictureGroups(spool, encoding)) {
    const plan = kept
      .map(({ index, time_s }) => planned(index, time_s))
      .filter(({ time_s }) => lies(time_s, request));
    if (plan.length > 0) yield* keptFrames(encoding, kept, plan, asBatch(request));
  }
}

const planned = (row: number, time_s: number): PlannedFrame => ({ row, time_s, wishes: [0] });

const lies = (time_s: number, { from_s, until_s }: FilmRequest): boolean =>
  time_s >= from_s && (until_s === null || time_s < until_s);

/** Every frame, each once, reduced to the size that is asked for. */
function asBatch({ root, frames, declared_rate_hz, stamps_s, longest_side_px }: FilmRequest): BatchRequest {
  const wishes = [{ rate_hz: 1e9, longest_side_px }];
  return { root, frames, declared_rate_hz, stamps_s, wishes, stream: 0, from: 0 };
}
