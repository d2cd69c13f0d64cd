import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '#core';
import { type Episode, type Stream, timesOf } from '#core/episode';
import { readPictureStream } from '#formats';
import { createMediaService, type Film, type MediaService, type PictureSpool } from '#io/media';
import type { ReportFilm } from '#quality/report';
import { findRowRange } from '../film-cache.ts';
import type { OpenedDataset, OpenedDatasets } from './find-datasets.ts';
import { spoolToFile } from './read/read-pictures.ts';

export type { ReportFilm } from '#quality/report';

/** An episode of the report; `dataset` is its dataset's path below the assessed path ('.' for itself). */
export interface FilmChoice {
  readonly number: number;
  readonly id: string;
  readonly dataset: string;
}

/** Films to write. */
export interface FilmsRequest {
  /** Absolute path of the report folder. */
  readonly folder: string;
  readonly episodes: readonly FilmChoice[];
}

interface FilmHooks {
  readonly signal: AbortSignal;
  /** Called on any progress, with the number of episodes completed. */
  readonly onStep: (episodes: number) => void;
}

/** Folder below the report. Camera files are numbered, since stream names may be invalid as file names. */
const filmFolder = 'videos';
/** Only the beginning of longer episodes is filmed, to keep the report small. */
const maxFilm_s = 120;
const maxSide_px = 480;

/**
 * Writes one MP4 per camera of the chosen episodes (first 120 s) into the report folder; returns them in the order of
 * the report, with a `problem` where writing failed.
 */
export async function writeFilms(
  { found }: OpenedDatasets,
  { folder, episodes }: FilmsRequest,
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
      for await (const episode of readChosen(one, numbers, hooks))
        films.push(...(await filmEpisode({ one, episode, folder, media }, numbers.get(episode.id)!, hooks)));
    }
  } finally {
    hooks.signal.removeEventListener('abort', end);
    await media.close();
  }
  return films.sort((a, b) => a.number - b.number);
}

async function* readChosen(
  { dataset }: OpenedDataset,
  numbers: ReadonlyMap<string, number>,
  { signal, onStep }: FilmHooks,
) {
  const remaining = new Set(numbers.keys());
  for (const unit of dataset.units) {
    if (remaining.size === 0) return;
    for await (const item of dataset.read(unit, { hashes: false, copies: false, signal })) {
      signal.throwIfAborted();
      if (!('unreadable' in item) && remaining.delete(item.id)) yield item;
      if (remaining.size === 0) return;
      onStep(0);
    }
  }
}

interface FilmInputs {
  readonly one: OpenedDataset;
  readonly episode: Episode;
  readonly folder: string;
  readonly media: MediaService;
}

async function filmEpisode(
  filming: FilmInputs,
  number: number,
  { onStep }: FilmHooks,
): Promise<ReportFilm[]> {
  const { episode, folder } = filming;
  const films: ReportFilm[] = [];
  const cut_s = episode.duration_s > maxFilm_s ? maxFilm_s : null;
  for (const [place, stream] of episode.streams.filter(({ frames }) => frames !== undefined).entries()) {
    const file = `${filmFolder}/${number}-${place}.mp4`;
    const common = { number, camera: stream.id, cut_s };
    try {
      const { starts_s, frames } = await filmCamera(filming, stream, join(folder, file));
      const rate_hz = frames > 1 ? stream.declared_rate_hz : null;
      films.push({ ...common, file, starts_s, rate_hz, problem: null });
    } catch (thrown) {
      rmSync(join(folder, file), { force: true });
      if (!(thrown instanceof AssayError) || thrown.code !== 'media_failed') throw thrown;
      films.push({ ...common, file: null, starts_s: 0, rate_hz: null, problem: thrown.message });
    }
  }
  onStep(1);
  return films;
}

async function filmCamera(filming: FilmInputs, stream: Stream, target: string): Promise<Film> {
  const { one, media } = filming;
  const { declared_rate_hz } = stream;
  const scratch = `${target}.pictures`;
  try {
    return await media.film({
      ...{ root: one.root, frames: stream.frames!, declared_rate_hz, stamps_s: timesOf(stream) },
      ...{ from_s: 0, until_s: maxFilm_s, codec: 'recorded', longest_side_px: maxSide_px, target },
      ...(await spoolEmbedded(filming, stream, scratch)),
    });
  } finally {
    rmSync(scratch, { force: true });
  }
}

async function spoolEmbedded(
  { one, episode }: FilmInputs,
  stream: Stream,
  path: string,
): Promise<{ readonly spool?: PictureSpool }> {
  const { frames, clocks, sample_count, declared_rate_hz } = stream;
  if (frames?.locator.type !== 'embedded') return {};
  const rate_hz = declared_rate_hz ?? 1;
  const time_s = timesOf(stream) ?? Float64Array.from({ length: sample_count }, (_, row) => row / rate_hz);
  const rows = findRowRange(time_s, 0, maxFilm_s);
  if (rows === null) throw new AssayError('media_failed', 'the camera has no frames in this episode');
  const log_s = clocks.find(({ provenance }) => provenance === 'log')?.time_s ?? null;
  const { index: episode_index, start_ns } = episode;
  const request = { locator: frames.locator, episode_index, start_ns, log_s, rows: sample_count };
  return {
    spool: {
      path,
      pictures: await spoolToFile(readPictureStream(one.dataset, request), { rows, time_s, target: path }),
    },
  };
}
