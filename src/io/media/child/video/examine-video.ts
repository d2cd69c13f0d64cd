import { type CameraEvidence, type FrameLocator, picturesLeftOut } from '#core/episode';
import type { CameraRequest } from '../../media-port.ts';
import { noEvidence } from '../../no-evidence.ts';
import { headOf, notMedia } from '../not-media.ts';
import type { Demand } from './decode-span.ts';
import { decoderWords, quoted } from './decoder-words.ts';
import { videoFile } from './open-files.ts';
import { servedRows } from './served-rows.ts';
import { containerFacts, spanOf, timeAt } from './span.ts';
import { NotVideo, type VideoFile } from './video-file.ts';

type VideoLocator = Extract<FrameLocator, { type: 'video' }>;

/** Measures one span of a video file; how much of it is decoded, `decodeSpan` says. */
export async function examineVideo(
  path: string,
  locator: VideoLocator,
  request: CameraRequest,
): Promise<CameraEvidence> {
  decoderWords.clear();
  let file: VideoFile;
  try {
    file = videoFile(path);
  } catch (thrown) {
    if (!(thrown instanceof NotVideo)) throw thrown;
    const what = notMedia(headOf(path));
    return noEvidence('no', what ?? (await quoted(thrown.message)));
  }
  return examineSpan(file, locator, request);
}

/** Of one span of a file that is open. `demand`: the file is not there whole. */
export async function examineSpan(
  file: VideoFile,
  locator: VideoLocator,
  request: CameraRequest,
  demand?: Demand,
): Promise<CameraEvidence> {
  const span = spanOf(file, locator.from_s, locator.to_s);
  const facts = containerFacts(file, span, locator.unstamped !== true);
  const { asked } = locator;
  const container =
    asked === undefined ? facts : { ...facts, served: servedRows(file, locator.from_s, asked) };
  if (span.count === 0) {
    return { ...noEvidence('no', emptySpan(file, locator)), container };
  }
  if (request.pictures === 'none') return { ...noEvidence('not_measured', picturesLeftOut), container };
  const { examineFrames } = await import('./examine-frames.ts');
  return examineFrames(file, span, container, request, demand);
}

function emptySpan(file: VideoFile, locator: VideoLocator): string {
  const { length } = file.index.shown;
  if (length === 0) return 'the video holds no frames';
  const last = timeAt(file, length - 1).toFixed(3);
  const to = locator.to_s === null ? 'the end' : `${locator.to_s} s`;
  return `no frame lies between ${locator.from_s} s and ${to}; the file's last is at ${last} s`;
}
