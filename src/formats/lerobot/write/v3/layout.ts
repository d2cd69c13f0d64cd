import type { KeptEpisode } from '../kept-episode.ts';
import type { LeRobotLayout } from '../layout.ts';
import { copyVideos } from './copy-videos.ts';
import { chunkAndFile, dataFile_bytes } from './place-files.ts';
import { MetadataV3 } from './write-metadata.ts';

/** Files hold many episodes; where each lies is in meta/episodes. */
export const layoutV3: LeRobotLayout = {
  shareOut: fillFiles,
  dataPath: (file) => `data/${chunkAndFile(file)}.parquet`,
  copyVideos,
  openMetadata: (folder, connection) => MetadataV3.open(folder, connection),
};

/** Fills files up to their size; rows of another set begin a new one. */
function fillFiles(episodes: readonly KeptEpisode[], row_bytes: number): number[] {
  let file = 0;
  let held = 0;
  return episodes.map(({ rows, source }, place) => {
    const own = rows * row_bytes;
    const isOther = place > 0 && episodes[place - 1].source !== source;
    if (isOther || (held > 0 && held + own > dataFile_bytes)) {
      file += 1;
      held = 0;
    }
    held += own;
    return file;
  });
}
