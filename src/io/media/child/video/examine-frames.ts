import type { CameraEvidence, ContainerFacts } from '#core/episode';
import type { CameraRequest } from '../../media-port.ts';
import { type Demand, decodeSpan, type Pass, spanPackets } from './decode-span.ts';
import { quoted } from './decoder-words.ts';
import type { Span } from './span.ts';
import { errorText, type VideoFile } from './video-file.ts';

/** Decodes as much of a span as it takes and says what was seen. Loaded where pictures are looked at. */
export async function examineFrames(
  file: VideoFile,
  span: Span,
  container: ContainerFacts,
  request: CameraRequest,
  demand?: Demand,
): Promise<CameraEvidence> {
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
