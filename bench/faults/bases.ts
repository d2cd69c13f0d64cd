import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { picturesOfTake, teleopCameraSize, writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import type { CameraEvidence, Episode } from '#core/episode';
import { type DatasetFacts, discover } from '#formats';
import type { MediaService } from '#io/media';
import { withCloseUp } from './close-up.ts';
import { examineAll } from './examine.ts';
import { writeFlightLogs } from './flight-logs.ts';
import type { Clip } from './spoil-video.ts';

/** Clean episodes to plant faults into, as the product's own readers give them. */
export interface Base {
  readonly id: string;
  readonly title: string;
  /** Folder that the episodes' locators start from. */
  readonly root: string;
  readonly facts: DatasetFacts;
  readonly episodes: readonly Episode[];
  /** Those that faults are planted into; the others are peers only. */
  readonly targets: readonly Episode[];
  /** Measured evidence of the clean cameras, by episode id. */
  readonly cameras: ReadonlyMap<string, ReadonlyMap<string, CameraEvidence>>;
  /** Pixels can be spoiled: the videos are there. */
  readonly videos: boolean;
  /** Flights carry the faults of aircraft, and no others. */
  readonly flies: boolean;
  /** Frames of the first camera before encoding, because pixel faults occur before the encoder. */
  readonly filmed?: (episode: Episode) => Clip;
  /** For the faults that need several cameras, and no others. */
  readonly severalCameras?: true;
}

export interface BaseOptions {
  readonly scratch: string;
  /** Generated demonstrations a base. */
  readonly demonstrations: number;
  readonly seed: number;
  /** At most these many episodes of a real set; 0: no real sets. */
  readonly realEpisodes: number;
  readonly media: MediaService;
}

/** Real recordings, where they are at hand. */
const sharedData = resolve(import.meta.dirname, '../../../shared/data');

export async function loadBases(options: BaseOptions): Promise<Base[]> {
  const grid = await generated('grid', options);
  const bases = [
    grid,
    await withCloseUp(grid, options.media),
    await generated('logged', options),
    await flights(options),
  ];
  for (const real of realSets) {
    const path = join(sharedData, real.path);
    if (options.realEpisodes > 0 && existsSync(path)) bases.push(await realBase(real, path, options));
  }
  return bases;
}

async function generated(id: 'grid' | 'logged', options: BaseOptions): Promise<Base> {
  const { scratch, demonstrations, seed, media } = options;
  const folder = join(scratch, `${id}-${seed}`);
  await rm(folder, { recursive: true, force: true });
  const write = id === 'grid' ? writeTeleopLeRobot : writeTeleopMcap;
  await write(folder, seed, () => {}, { episodes: demonstrations, plan: {} });
  const { root, facts, episodes } = await readAll(folder, demonstrations);
  const cameras = new Map<string, ReadonlyMap<string, CameraEvidence>>();
  await Promise.all(
    episodes.map(async (episode) => cameras.set(episode.id, await examineAll(episode, root, media))),
  );
  const title = id === 'grid' ? 'generated, LeRobot v3' : 'generated, MCAP';
  return {
    id,
    title,
    root,
    facts,
    episodes,
    targets: episodes,
    cameras,
    videos: id === 'grid',
    flies: false,
    ...(id === 'grid' ? { filmed: (episode: Episode) => filmedClip(seed, episode) } : {}),
  };
}

function filmedClip(seed: number, { index, streams }: Episode): Clip {
  const rate_hz = streams[0].declared_rate_hz ?? 30;
  return {
    ...teleopCameraSize,
    rate_hz,
    frames: picturesOfTake(seed, index, streams[0].sample_count, rate_hz),
  };
}

/** Flights as PX4 logs them. */
async function flights({ scratch, demonstrations, seed }: BaseOptions): Promise<Base> {
  const folder = join(scratch, `flights-${seed}`);
  await writeFlightLogs(folder, demonstrations, seed);
  const { root, facts, episodes } = await readAll(folder, demonstrations);
  const base = { root, facts, episodes, targets: episodes, cameras: new Map(), videos: false, flies: true };
  return { id: 'flights', title: 'generated, PX4 ULog', ...base };
}

interface RealSet {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  /** Cameras are left out where most of their files are missing: what is planted is judged, not what is known. */
  readonly cameras: boolean;
}

const realSets: readonly RealSet[] = [
  { id: 'g1', title: 'Unitree G1 (state, action)', path: 'lerobot-v21-g1-bottle', cameras: false },
  { id: 'gr00t', title: 'GR00T pick and place', path: 'lerobot-v20-gr00t-pick-place', cameras: true },
];

async function realBase(
  real: RealSet,
  path: string,
  { realEpisodes, media, seed }: BaseOptions,
): Promise<Base> {
  const read = await readAll(path, realEpisodes);
  const { root } = read;
  const present = (episode: Episode): Episode => ({
    ...episode,
    findings: [],
    streams: episode.streams.filter(
      ({ frames }) => frames === undefined || (real.cameras && frames.locator.type !== 'missing'),
    ),
  });
  const episodes = read.episodes.map(present);
  const cameras = new Map<string, ReadonlyMap<string, CameraEvidence>>();
  for (const episode of episodes) cameras.set(episode.id, await examineAll(episode, root, media));
  const declared_cameras = episodes[0].streams
    .filter(({ frames }) => frames !== undefined)
    .map(({ id }) => id);
  const facts = { ...read.facts, declared_cameras };
  const targets = episodes.filter((_, i) => i % 2 === seed % 2);
  return {
    id: real.id,
    title: real.title,
    root,
    facts,
    episodes,
    targets,
    cameras,
    videos: real.cameras,
    flies: false,
  };
}

async function readAll(
  folder: string,
  most: number,
): Promise<{ root: string; facts: DatasetFacts; episodes: Episode[] }> {
  const { root, datasets } = await discover(folder);
  const [{ dataset }] = datasets;
  const episodes: Episode[] = [];
  for (const unit of dataset.units) {
    if (episodes.length >= most) break;
    for await (const read of dataset.read(unit, {})) {
      if ('unreadable' in read) throw new Error(`${folder}: ${read.finding.message}`);
      if (episodes.length < most) episodes.push(read);
    }
  }
  await dataset.close();
  return { root, facts: dataset.facts, episodes };
}
