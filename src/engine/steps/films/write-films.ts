import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '#core';
import { type Episode, type Stream, timesOf } from '#core/episode';
import { picturesOf } from '#formats';
import { createMediaService, type Film, type MediaService, type PictureSpool } from '#io/media';
import type { ReportFilm } from '#quality/report';
import { rowsIn } from '../../films/rows-in.ts';
import type { Found, FoundDatasets } from '../look/datasets.ts';
import { spool } from '../read/spool-pictures.ts';

export type { ReportFilm } from '#quality/report';

/** An episode of the report, by its dataset's path below what was assessed ('.' for itself). */
export interface FilmChoice {
  readonly number: number;
  readonly id: string;
  readonly dataset: string;
}

export interface FilmsWanted {
  /** Absolute. */
  readonly folder: string;
  readonly episodes: readonly FilmChoice[];
}

interface FilmHooks {
  readonly signal: AbortSignal;
  /** Hears of each sign of progress, and how many episodes are done with it. */
  readonly onStep: (episodes: number) => void;
}

/** Below the report; the files of a camera are numbered, since names of streams are no names of files. */
const filmFolder = 'videos';
/** A report is carried about: of longer episodes the beginning is enough to see what the timeline says. */
const longest_s = 120;
const longestSide_px = 480;

/** Writes a film of every camera of the chosen episodes, in the order of the report. A camera without one says why. */
export async function writeFilms(
  { found }: FoundDatasets,
  { folder, episodes }: FilmsWanted,
  hooks: FilmHooks,
): Promise<readonly ReportFilm[]> {
  mkdirSync(join(folder, filmFolder), { recursive: true });
  const media = createMediaService({ children: 1, onAlive: () => hooks.onStep(0) });
  const films: ReportFilm[] = [];
  const end = () => void media.close();
  hooks.signal.addEventListener('abort', end);
  try {
    for (const one of found) {
      const path = one.recognised.path === '' ? '.' : one.recognised.path;
      const numbers = new Map(
        episodes.filter(({ dataset }) => dataset === path).map(({ id, number }) => [id, number]),
      );
      for await (const episode of chosen(one, numbers, hooks))
        films.push(...(await filmsOf({ one, episode, folder, media }, numbers.get(episode.id)!, hooks)));
    }
  } finally {
    hooks.signal.removeEventListener('abort', end);
    await media.close();
  }
  return films.sort((a, b) => a.number - b.number);
}

async function* chosen(
  { dataset }: Found,
  numbers: ReadonlyMap<string, number>,
  { signal, onStep }: FilmHooks,
) {
  const wanted = new Set(numbers.keys());
  for (const unit of dataset.units) {
    if (wanted.size === 0) return;
    for await (const item of dataset.read(unit, { hashes: false, copies: false, signal })) {
      signal.throwIfAborted();
      if (!('unreadable' in item) && wanted.delete(item.id)) yield item;
      if (wanted.size === 0) return;
      onStep(0);
    }
  }
}

interface Filming {
  readonly one: Found;
  readonly episode: Episode;
  readonly folder: string;
  readonly media: MediaService;
}

async function filmsOf(filming: Filming, number: number, { onStep }: FilmHooks): Promise<ReportFilm[]> {
  const { episode, folder } = filming;
  const films: ReportFilm[] = [];
  const cut_s = episode.duration_s > longest_s ? longest_s : null;
  for (const [place, stream] of episode.streams.filter(({ frames }) => frames !== undefined).entries()) {
    const file = `${filmFolder}/${number}-${place}.mp4`;
    const told = { number, camera: stream.id, cut_s };
    try {
      const { starts_s, frames } = await make(filming, stream, join(folder, file));
      const rate_hz = frames > 1 ? stream.declared_rate_hz : null;
      films.push({ ...told, file, starts_s, rate_hz, problem: null });
    } catch (thrown) {
      rmSync(join(folder, file), { force: true });
      if (!(thrown instanceof AssayError) || thrown.code !== 'media_failed') throw thrown;
      films.push({ ...told, file: null, starts_s: 0, rate_hz: null, problem: thrown.message });
    }
  }
  onStep(1);
  return films;
}

async function make(filming: Filming, stream: Stream, target: string): Promise<Film> {
  const { one, media } = filming;
  const { declared_rate_hz } = stream;
  const scratch = `${target}.pictures`;
  try {
    return await media.film({
      ...{ root: one.root, frames: stream.frames!, declared_rate_hz, stamps_s: timesOf(stream) },
      ...{ from_s: 0, until_s: longest_s, codec: 'recorded', longest_side_px: longestSide_px, target },
      ...(await spooled(filming, stream, scratch)),
    });
  } finally {
    rmSync(scratch, { force: true });
  }
}

async function spooled(
  { one, episode }: Filming,
  stream: Stream,
  path: string,
): Promise<{ readonly spool?: PictureSpool }> {
  const { frames, clocks, sample_count, declared_rate_hz } = stream;
  if (frames?.locator.type !== 'embedded') return {};
  const rate_hz = declared_rate_hz ?? 1;
  const time_s = timesOf(stream) ?? Float64Array.from({ length: sample_count }, (_, row) => row / rate_hz);
  const rows = rowsIn(time_s, 0, longest_s);
  if (rows === null) throw new AssayError('media_failed', 'no picture of the camera lies in the episode');
  const log_s = clocks.find(({ provenance }) => provenance === 'log')?.time_s ?? null;
  const { index: episode_index, start_ns } = episode;
  const wanted = { locator: frames.locator, episode_index, start_ns, log_s, rows: sample_count };
  return {
    spool: { path, pictures: await spool(picturesOf(one.dataset, wanted), { rows, time_s, target: path }) },
  };
}
