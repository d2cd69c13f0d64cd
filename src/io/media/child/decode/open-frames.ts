import type { KeptPicture } from '#core/episode';
import type { FrameOutcome, PlannedFrame } from '../../media-port.ts';
import { planFrames } from '../../plan-frames.ts';
import type { BatchRequest } from '../../protocol.ts';
import { inside } from '../inside.ts';
import { Unshown } from '../shown-frame.ts';
import { keptFrames } from './kept-frames.ts';
import { pictureFiles } from './picture-files.ts';

/** Decodes the frames of a request one after the other, from where it is. Throws Unshown where none can be. */
export async function* openFrames(request: BatchRequest): AsyncGenerator<FrameOutcome, void, undefined> {
  const { locator } = request.frames;
  switch (locator.type) {
    case 'missing':
      throw new Unshown(locator.reason);
    case 'video': {
      if (request.distances === true) throw new Unshown('distances are not read out of video');
      const path = inside(request.root, locator.path);
      if (path === null) throw new Unshown(`there is no file ${locator.path}`);
      const { videoFrames } = await import('./video-frames.ts');
      return yield* videoFrames(path, locator, request);
    }
    case 'image-files':
      return yield* pictureFiles(locator.paths, planOfFiles(request, locator.paths.length), request);
    case 'embedded': {
      const { kept = [] } = request.frames;
      return yield* keptFrames(locator.encoding, kept, planOfKept(request, kept), request);
    }
  }
}

/** By the stamps of the stream, else by its rate. */
function planOfFiles(request: BatchRequest, count: number): readonly PlannedFrame[] {
  const { stamps_s, declared_rate_hz, wishes, from } = request;
  const rate_hz = declared_rate_hz ?? 1;
  const times_s = stamps_s?.subarray(0, count) ?? Float64Array.from({ length: count }, (_, i) => i / rate_hz);
  return planFrames(times_s, wishes).slice(from);
}

function planOfKept(
  { plan, wishes, from }: BatchRequest,
  kept: readonly KeptPicture[],
): readonly PlannedFrame[] {
  const stamps_s = Float64Array.from(kept, ({ time_s }) => time_s);
  const own = () => planFrames(stamps_s, wishes).map((one) => ({ ...one, row: kept[one.row].index }));
  return (plan ?? own()).slice(from);
}
