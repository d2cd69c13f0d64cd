import { type CameraEvidence, type FrameLocator, picturesLeftOut } from '#episode';
import type { CameraRequest, PartsRequest, WantedParts } from '../../media-port.ts';
import { noEvidence } from '../../no-evidence.ts';
import { headOf, notMedia } from '../not-media.ts';
import { type Demand, decodeSpan, type Pass, spanPackets } from './decode-span.ts';
import { decoderWords } from './decoder-words.ts';
import { videoFile } from './open-files.ts';
import { partVideo } from './parts/part-video.ts';
import { WantsParts } from './parts/parts.ts';
import { servedRows } from './served-rows.ts';
import { containerFacts, type Span, spanOf, timeAt } from './span.ts';
import { errorText, NotVideo, type VideoFile } from './video-file.ts';

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

/** The same from parts of the file, or which parts it takes. */
export async function examineVideoParts(
  path: string,
  locator: VideoLocator,
  request: PartsRequest,
): Promise<CameraEvidence | WantedParts> {
  decoderWords.clear();
  try {
    const { file, demand } = partVideo(path, request.parts);
    return await examineSpan(file, locator, request, demand);
  } catch (thrown) {
    if (thrown instanceof WantsParts) return { wants: thrown.parts };
    throw thrown;
  }
}

async function examineSpan(
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
  const pass = decodeSpan(file, span, request, demand);
  const reason = await describe(file, span, pass);
  const { bytes, key } = spanPackets(file, span);
  return {
    decodable: reason === null ? 'yes' : pass.builder.count === 0 ? 'no' : 'partial',
    reason,
    container,
    sampled: pass.builder.sampled(),
    repeats: pass.builder.repeats(pass.method, true, pass.pairs),
    thumbnails: await pass.keeper.thumbnails(),
    coded: { bytes, key },
  };
}

/** Why not every frame asked for decoded; null when all did. */
async function describe(file: VideoFile, span: Span, pass: Pass): Promise<string | null> {
  const got = pass.builder.count;
  const problem = pass.outcome.problems[0];
  if (problem !== undefined) {
    const at = file.time_s(problem.position) - span.from_s;
    const words = await quoted(problem.text);
    return `${got} of ${pass.asked} frames decode; at ${at.toFixed(3)} s the decoder says: ${words}`;
  }
  if (pass.outcome.damaged > 0) {
    return `${got} of ${pass.asked} frames decode; ${pass.outcome.damaged} are marked as damaged by the decoder`;
  }
  if (got < pass.asked)
    return `${got} of ${pass.asked} frames decode; the decoder gives nothing for the rest`;
  if (file.index.error !== null) return `reading ended early: ${errorText(file.index.error)}`;
  return null;
}

async function quoted(text: string): Promise<string> {
  const words = await decoderWords.first();
  return words === null ? text : `${text} (${words})`;
}

function emptySpan(file: VideoFile, locator: VideoLocator): string {
  const { length } = file.index.shown;
  if (length === 0) return 'the video holds no frames';
  const last = timeAt(file, length - 1).toFixed(3);
  const to = locator.to_s === null ? 'the end' : `${locator.to_s} s`;
  return `no frame lies between ${locator.from_s} s and ${to}; the file's last is at ${last} s`;
}
