import type { CameraEvidence, FrameLocator } from '#core/episode';
import type { PartsRequest, WantedParts } from '../../../media-port.ts';
import { decoderWords } from '../decoder-words.ts';
import { examineSpan } from '../examine-video.ts';
import { partVideo } from './part-video.ts';
import { WantsParts } from './parts.ts';

/** Measures one span of a video file from parts of it, or says which parts it takes. */
export async function examineVideoParts(
  path: string,
  locator: Extract<FrameLocator, { type: 'video' }>,
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
