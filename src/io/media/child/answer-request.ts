import type { CameraEvidence } from '#core/episode';
import type { CameraRequest, PartsRequest, WantedParts } from '../media-port.ts';
import { noEvidence } from '../no-evidence.ts';
import type { Answer, MediaRequest } from '../protocol.ts';
import { leaveStream } from './decode/current-stream.ts';
import { inside } from './inside.ts';
import { Unshown } from './shown-frame.ts';

/** Decoders are loaded when first needed: a child that sees only pictures never loads FFmpeg. */
export async function answerRequest(message: MediaRequest): Promise<Answer> {
  if (message.kind === 'decode') {
    const { nextBatch } = await import('./decode/next-batch.ts');
    return nextBatch(message.request);
  }
  await leaveStream();
  if (message.kind === 'examine') return examine(message.request);
  if (message.kind === 'parts') return examineParts(message.request);
  if (message.kind === 'film' || message.kind === 'film-facts') return film(message);
  const { framesAt } = await import('./frames-at.ts');
  return framesAt(message.request);
}

async function film({
  kind,
  request,
}: Extract<MediaRequest, { kind: 'film' | 'film-facts' }>): Promise<Answer> {
  const { filmFacts, makeFilm } = await import('./film/make-film.ts');
  try {
    return await (kind === 'film' ? makeFilm(request) : filmFacts(request));
  } catch (thrown) {
    if (thrown instanceof Unshown) return { unshown: thrown.message };
    throw thrown;
  }
}

async function examine(request: CameraRequest): Promise<CameraEvidence> {
  const { locator } = request.frames;
  switch (locator.type) {
    case 'missing':
      return noEvidence('missing', locator.reason);
    case 'video': {
      const path = inside(request.root, locator.path, request.within);
      if (path === null) return noEvidence('missing', `there is no file ${locator.path}`);
      const { examineVideo } = await import('./video/examine-video.ts');
      return examineVideo(path, locator, request);
    }
    case 'image-files': {
      const { examinePictures } = await import('./pictures/examine-pictures.ts');
      return examinePictures(locator.paths, request);
    }
    case 'embedded': {
      const { examineEmbedded } = await import('./embedded/examine-embedded.ts');
      return examineEmbedded(locator, request);
    }
  }
}

async function examineParts(request: PartsRequest): Promise<CameraEvidence | WantedParts> {
  const { locator } = request.frames;
  const path = locator.type === 'video' ? inside(request.root, locator.path) : null;
  if (locator.type !== 'video' || path === null) return { wants: null };
  const { examineVideoParts } = await import('./video/parts/examine-parts.ts');
  return examineVideoParts(path, locator, request);
}
