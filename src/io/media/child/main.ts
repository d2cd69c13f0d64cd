import { messageOf } from '#core';
import type { CameraEvidence } from '#core/episode';
import { begin, idle, underWatch } from '#io/processes';
import type { CameraRequest, PartsRequest, WantedParts } from '../media-port.ts';
import { noEvidence } from '../no-evidence.ts';
import type { Answer, FromChild, MediaRequest, ToChild } from '../protocol.ts';
import { leaveStream } from './decode/next-batch.ts';
import { inside } from './inside.ts';
import { isOfThisMachine } from './of-this-machine.ts';
import { Unshown } from './shown-frame.ts';
import { closeVideoFiles } from './video/open-files.ts';

/** The media process: answers requests one after the other and ends when its parent is gone. */
underWatch(() => {
  send({ kind: 'ready' });
  void work();
});

const waiting: ToChild[] = [];
let working = true;

process.on('message', (message: ToChild) => {
  waiting.push(message);
  if (!working) void work();
});

async function work(): Promise<void> {
  working = true;
  for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
    begin();
    if (message.kind === 'close-files') await closeFiles();
    else send(await answer(message));
    idle();
    // Lets messages and the loss of the parent through between two requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
  working = false;
}

async function closeFiles(): Promise<void> {
  await leaveStream();
  closeVideoFiles();
}

async function answer(message: MediaRequest): Promise<FromChild> {
  try {
    return { kind: 'answer', id: message.id, answer: await answerRequest(message) };
  } catch (thrown) {
    return { kind: 'failed', id: message.id, reason: messageOf(thrown), here: isOfThisMachine(thrown) };
  }
}

function send(message: FromChild): void {
  if (process.connected) process.send?.(message);
}

/** Decoders are loaded when first needed: a child that sees only pictures never loads FFmpeg. */
async function answerRequest(message: MediaRequest): Promise<Answer> {
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
