import { type ArrayInput, addArray, type Files, replayFiles } from '../zarr-files.ts';
import type { PlantedFormat } from './plant.ts';

const rows = 10;
const arrays: Readonly<Record<string, ArrayInput>> = {
  action: { shape: [rows, 2], chunks: [4, 2], values: (i) => i + 1 },
  state: { shape: [rows, 3], chunks: [4, 3], values: (i) => i + 1 },
};

/** Two episodes, of rows 0 to 4 and 4 to 10; chunks have four rows. */
function set(change: (files: Files) => unknown = () => {}, ends = [4, rows]) {
  const files = replayFiles(arrays, ends);
  change(files);
  return Object.fromEntries(files);
}

const ofSet = (rule: string, change: (files: Files) => unknown) => ({
  ...{ rule, episode: null, files: set(change) },
});
const ended = (rule: string, ends: number[]) => ({ rule, episode: null, files: set(() => {}, ends) });

export const replayPlants: PlantedFormat = {
  title: 'diffusion_policy replay buffers (zarr 2)',
  sound: set(),
  plants: [
    ofSet('zgroup_missing', (files) => files.delete('.zgroup')),
    ofSet('zgroup_missing', (files) => files.delete('data/.zgroup')),
    ofSet('group_among_arrays', (files) => files.set('data/more/.zgroup', Buffer.from('{"zarr_format":2}'))),
    ofSet('array_length_differs', (files) => addArray(files, 'data/late', { shape: [7, 1] })),
    ended('episode_ends_mismatch', [4, 8]),
    ended('episode_ends_mismatch', [4, 12]),
    ofSet('episode_ends_fractional', (files) =>
      addArray(files, 'meta/episode_ends', { shape: [2], dtype: '<f8', values: (i) => [4, rows][i] }),
    ),
    ended('episode_ends_not_increasing', [4, 4, rows]),
    { rule: 'chunks_missing', episode: 1, files: set((files) => files.delete('data/state/2.0')) },
    {
      ...{ rule: 'chunk_damaged', episode: 1 },
      files: set((files) => files.set('data/state/2.0', Buffer.from('cut'))),
    },
  ],
};
