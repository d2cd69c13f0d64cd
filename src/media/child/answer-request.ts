import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { CameraEvidence } from '#episode';
import type { CameraRequest } from '../media-port.ts';
import { noEvidence } from '../no-evidence.ts';
import type { Answer, ToChild } from '../protocol.ts';

/** Decoders are loaded when first needed: a child that sees only pictures never loads FFmpeg. */
export async function answerRequest(message: ToChild): Promise<Answer> {
  if (message.kind === 'examine') return examine(message.request);
  return message.request.times_s.map(() => null);
}

async function examine(request: CameraRequest): Promise<CameraEvidence> {
  const { locator } = request.frames;
  switch (locator.type) {
    case 'missing':
      return noEvidence('missing', locator.reason);
    case 'video': {
      const path = inside(request.root, locator.path);
      if (path === null) return noEvidence('missing', `there is no file ${locator.path}`);
      const { examineVideo } = await import('./video/examine-video.ts');
      return examineVideo(path, locator, request);
    }
    default:
      return noEvidence('not_measured', `${locator.type} is not measured yet`);
  }
}

/** The absolute path of a file under the root, or null where there is none or it lies outside. */
export function inside(root: string, path: string): string | null {
  try {
    const top = realpathSync(root);
    const real = realpathSync(resolve(top, path));
    return real.startsWith(top.endsWith(sep) ? top : top + sep) ? real : null;
  } catch {
    return null;
  }
}
