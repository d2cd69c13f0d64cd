import type { LeRobotDraft } from './draft.ts';

const defaultTemplateV2 = 'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4';
const defaultTemplateV3 = 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4';

/**
 * Returns the path of a v3 video file by the template of info.json, or by LeRobot's default; the file may be missing.
 */
export function videoPathV3({ info }: LeRobotDraft, camera: string, chunk: number, file: number): string {
  const { video_path } = info.value;
  return expandTemplate(typeof video_path === 'string' ? video_path : defaultTemplateV3, {
    video_key: camera,
    chunk_index: chunk,
    file_index: file,
  });
}

/**
 * Returns the path of an episode's v2 video by the template and chunk size of info.json, or by LeRobot's defaults; the
 * file may be missing.
 */
export function videoPathV2({ info }: LeRobotDraft, camera: string, episode: number): string {
  const { video_path, chunks_size } = info.value;
  const size = typeof chunks_size === 'number' && chunks_size > 0 ? chunks_size : 1000;
  return expandTemplate(typeof video_path === 'string' ? video_path : defaultTemplateV2, {
    video_key: camera,
    episode_chunk: Math.floor(episode / size),
    episode_index: episode,
  });
}

/** Returns a camera's existing v3 video files with chunk and file number, ordered by path. */
export function videoFilesV3(
  draft: LeRobotDraft,
  camera: string,
): { path: string; chunk: number; file: number }[] {
  return draft.paths.flatMap((path) => {
    const match = /chunk-(\d+)\/file-(\d+)\.mp4$/.exec(path);
    if (match === null) return [];
    const [chunk, file] = [Number(match[1]), Number(match[2])];
    return videoPathV3(draft, camera, chunk, file) === path ? [{ path, chunk, file }] : [];
  });
}

/** Replaces `{name}` and `{name:03d}` in a path template. */
function expandTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)(?::0?(\d*)d)?\}/g, (whole, name: string, width: string | undefined) =>
    name in values ? String(values[name]).padStart(Number(width ?? 0), '0') : whole,
  );
}
