import type { LeRobotLayout } from '../layout.ts';
import { copyVideos } from './copy-videos.ts';
import { dataPath } from './place-files.ts';
import { MetadataV21 } from './write-metadata.ts';

/** A table and a video a camera for each episode. */
export const layoutV21: LeRobotLayout = {
  shareOut: (episodes) => episodes.map((_, index) => index),
  dataPath,
  copyVideos,
  openMetadata: (folder) => MetadataV21.open(folder),
};
