import { messageOf } from '#core';
import type { CameraEvidence } from '#core/episode';
import { beginRequest, endRequest, processTime_ms, startWatchdog } from '#io/processes';
import type { CameraRequest, MissingParts, PartsRequest } from '../media-port.ts';
import { noEvidence } from '../no-evidence.ts';
import type { FromChild, MediaAnswer, MediaRequest, ToChild } from '../protocol.ts';
import { FrameUnavailable, isMachineFault } from './media-errors.ts';
import { resolveInside } from './media-files.ts';
import { closeStream } from './next-batch.ts';
import { closeVideoFiles } from './video/open-files.ts';

/** Program of the media child process: answers requests one by one and ends when its parent has died. */
startWatchdog(() => {
  send({ kind: 'ready' });
  void work();
});

const pendingMessages: ToChild[] = [];
let isWorking = true;

process.on('message', (message: ToChild) => {
  pendingMessages.push(message);
  if (!isWorking) void work();
});

async function work(): Promise<void> {
  isWorking = true;
  for (let message = pendingMessages.shift(); message !== undefined; message = pendingMessages.shift()) {
    beginRequest();
    if (message.kind === 'close-files') await closeFiles();
    else send(await answer(message));
    endRequest();
    // Lets the event loop handle messages and the loss of the parent between two requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
  isWorking = false;
}

async function closeFiles(): Promise<void> {
  await closeStream();
  closeVideoFiles();
}

async function answer(message: MediaRequest): Promise<FromChild> {
  const { id } = message;
  const from_ms = processTime_ms();
  try {
    const answer = await answerRequest(message);
    return { kind: 'answer', id, cpu_ms: processTime_ms() - from_ms, answer };
  } catch (thrown) {
    return {
      kind: 'failed',
      id,
      cpu_ms: processTime_ms() - from_ms,
      reason: messageOf(thrown),
      isMachineFault: isMachineFault(thrown),
    };
  }
}

function send(message: FromChild): void {
  if (process.connected) process.send?.(message);
}

/** Answers a request. Decoders are loaded when first needed. */
async function answerRequest(message: MediaRequest): Promise<MediaAnswer> {
  if (message.kind === 'decode') {
    const { nextBatch } = await import('./next-batch.ts');
    return nextBatch(message.request);
  }
  await closeStream();
  if (message.kind === 'examine') return examine(message.request);
  if (message.kind === 'parts') return examineParts(message.request);
  if (message.kind === 'film' || message.kind === 'film-facts') return film(message);
  const { framesAt } = await import('./frames-at.ts');
  return framesAt(message.request);
}

async function film({
  kind,
  request,
}: Extract<MediaRequest, { kind: 'film' | 'film-facts' }>): Promise<MediaAnswer> {
  const { filmFacts, makeFilm } = await import('./make-film.ts');
  try {
    return await (kind === 'film' ? makeFilm(request) : filmFacts(request));
  } catch (thrown) {
    if (thrown instanceof FrameUnavailable) return { unshown: thrown.message };
    throw thrown;
  }
}

async function examine(request: CameraRequest): Promise<CameraEvidence> {
  const { locator } = request.frames;
  switch (locator.type) {
    case 'missing':
      return noEvidence('missing', locator.reason);
    case 'video': {
      const path = resolveInside(request.root, locator.path, request.within);
      if (path === null) return noEvidence('missing', `file not found: ${locator.path}`);
      const { examineVideo } = await import('./video/examine-video.ts');
      return examineVideo(path, locator, request);
    }
    case 'image-files': {
      const { examinePictures } = await import('./pictures/examine-pictures.ts');
      return examinePictures(locator.paths, request);
    }
    case 'embedded': {
      const { examineEmbedded } = await import('./pictures/examine-embedded.ts');
      return examineEmbedded(locator, request);
    }
  }
}

async function examineParts(request: PartsRequest): Promise<CameraEvidence | MissingParts> {
  const { locator } = request.frames;
  const path = locator.type === 'video' ? resolveInside(request.root, locator.path) : null;
  if (locator.type !== 'video' || path === null) return { wants: null };
  const { examineVideoParts } = await import('./video/examine-parts.ts');
  return examineVideoParts(path, locator, request);
}
