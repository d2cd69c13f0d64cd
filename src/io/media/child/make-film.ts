import type { Film, FilmFacts, FilmRequest } from '../media-port.ts';
import { FrameUnavailable } from './media-errors.ts';
import { resolveInside } from './media-files.ts';

/**
 * Writes a film to `request.target` by copying packets, or else by re-encoding, and returns its facts and CPU time;
 * throws FrameUnavailable if no frame can be shown.
 */
export async function makeFilm(request: FilmRequest): Promise<Film> {
  const cpuBefore = process.cpuUsage();
  const film = (await tryCopy(request)) ?? (await encode(request));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ...film, cpu_s: (user + system) / 1e6 };
}

/**
 * Returns what is known about a film without writing it; throws FrameUnavailable if its video file is missing or cannot
 * be used.
 */
export async function filmFacts({ root, within, frames, ...camera }: FilmRequest): Promise<FilmFacts> {
  const { locator, declared_size_px, declared_codec } = frames;
  if (locator.type === 'video') {
    const { videoFacts } = await import('./copy-film.ts');
    return videoFacts(requirePath(root, locator.path, within), locator);
  }
  const stamps_s = camera.stamps_s ?? new Float64Array();
  const codec = locator.type === 'embedded' ? locator.encoding : declared_codec;
  return {
    ...{ codec, mime: null, size_px: declared_size_px, rate_hz: camera.declared_rate_hz },
    ...{ frames: stamps_s.length, starts_s: stamps_s[0] ?? null, last_s: stamps_s.at(-1) ?? null },
  };
}

/** Returns null if the frames have to be re-encoded. */
async function tryCopy(request: FilmRequest): Promise<Omit<Film, 'cpu_s'> | null> {
  const { locator } = request.frames;
  if (locator.type !== 'video') return null;
  const { copyFilm } = await import('./copy-film.ts');
  return copyFilm(requirePath(request.root, locator.path, request.within), locator, request);
}

async function encode(request: FilmRequest): Promise<Omit<Film, 'cpu_s'>> {
  const { encodeFilm } = await import('./encode-film.ts');
  return encodeFilm(request);
}

function requirePath(root: string, path: string, within: string | undefined): string {
  const file = resolveInside(root, path, within);
  if (file === null) throw new FrameUnavailable(`file not found: ${path}`);
  return file;
}
