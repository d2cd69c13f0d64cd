import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { askScript } from './python-worker.ts';

/** What the LeRobot library reads in a set. */
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

async function record(): Promise<Recorded> {
  const folder = join(await mkdtemp(join(process.env.ASSAY_TEST_TEMPLATE ?? '', 'recording-')), 'set');
  return { folder, view: await askScript('lerobot', 'lerobot_library.py', 'write', folder) };
}

/** A v3.0 set of five episodes that the library recorded, once for all tests of a worker, which must not change it. */
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
