/** Files of episodes lie in chunks of this many. */
export const episodesPerChunk = 1000;

const chunkOf = (episode: number) =>
  `chunk-${String(Math.floor(episode / episodesPerChunk)).padStart(3, '0')}`;
const named = (episode: number) => `episode_${String(episode).padStart(6, '0')}`;

export const dataPath = (episode: number) => `data/${chunkOf(episode)}/${named(episode)}.parquet`;
export const videoPath = (camera: string, episode: number) =>
  `videos/${chunkOf(episode)}/${camera}/${named(episode)}.mp4`;
