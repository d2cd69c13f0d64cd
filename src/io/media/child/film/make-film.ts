import type { Film, FilmFacts, FilmRequest } from '../../film.ts';
import { inside } from '../inside.ts';
import { Unshown } from '../shown-frame.ts';

/** Writes the film that is asked for. Throws Unshown where nothing of it can be shown. */
export async function makeFilm(request: FilmRequest): Promise<Film> {
  const before = process.cpuUsage();
  const film = (await copied(request)) ?? (await encoded(request));
  const { user, system } = process.cpuUsage(before);
  return { ...film, cpu_s: (user + system) / 1e6 };
}

/** What can be told of it before. Throws Unshown. */
export async function filmFacts({ root, within, frames, ...camera }: FilmRequest): Promise<FilmFacts> {
  const { locator, declared_size_px, declared_codec } = frames;
  if (locator.type === 'video') {
    const { videoFacts } = await import('./copy-film.ts');
    return videoFacts(fileOf(root, locator.path, within), locator);
  }
  const stamps_s = camera.stamps_s ?? new Float64Array();
  const codec = locator.type === 'embedded' ? locator.encoding : declared_codec;
  return {
    ...{ codec, mime: null, size_px: declared_size_px, rate_hz: camera.declared_rate_hz },
    ...{ frames: stamps_s.length, starts_s: stamps_s[0] ?? null, last_s: stamps_s.at(-1) ?? null },
  };
}

/** Null where the frames have to be coded anew. */
async function copied(request: FilmRequest): Promise<Omit<Film, 'cpu_s'> | null> {
  const { locator } = request.frames;
  if (locator.type !== 'video') return null;
  const { copyFilm } = await import('./copy-film.ts');
  return copyFilm(fileOf(request.root, locator.path, request.within), locator, request);
}

async function encoded(request: FilmRequest): Promise<Omit<Film, 'cpu_s'>> {
  const { encodeFilm } = await import('./encode-film.ts');
  return encodeFilm(request);
}

function fileOf(root: string, path: string, within: string | undefined): string {
  const file = inside(root, path, within);
  if (file === null) throw new Unshown(`there is no file ${path}`);
  return file;
}
