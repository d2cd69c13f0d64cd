import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { askScript } from './python-worker.ts';

/** Content of a dataset as read by the LeRobot library. */
export interface LibraryView {
  readonly total_episodes: number;
  readonly total_frames: number;
  readonly episodes: readonly {
    readonly length: number;
    readonly task: string;
    readonly state_sum: number;
    readonly action_sum: number;
    /** Mean full-range luma of each frame, by camera. */
    readonly cameras: Readonly<Record<string, readonly number[]>>;
  }[];
}

interface Recorded {
  readonly folder: string;
  readonly view: LibraryView;
}

let recorded: Promise<Recorded> | undefined;

/** Folder of the recording in the run's shared folder, which is removed when the run ends. */
async function record(): Promise<Recorded> {
  const shared = process.env.ASSAY_TEST_RUN_FOLDER ?? tmpdir();
  const place = join(shared, 'lerobot-recording');
  if (!existsSync(place)) {
    const own = await mkdtemp(join(shared, 'half-'));
    const view = await askScript('lerobot', 'lerobot_library.py', 'write', join(own, 'set'));
    await writeFile(join(own, 'view.json'), JSON.stringify(view));
    // Another worker may have been faster; its recording is as good.
    await rename(own, place).catch(() => rm(own, { recursive: true }));
  }
  return { folder: join(place, 'set'), view: JSON.parse(await readFile(join(place, 'view.json'), 'utf8')) };
}

/** A v3.0 set of five episodes that the library recorded, once for all tests of a run, which must not change it. */
export function libraryRecording(): Promise<Recorded> {
  recorded ??= record();
  return recorded;
}

/** A copy of that recording named `name`, to be changed. */
export async function copyOfRecording(name: string): Promise<string> {
  const folder = join(await temporaryFolder(), name);
  await cp((await libraryRecording()).folder, folder, { recursive: true });
  return folder;
}
