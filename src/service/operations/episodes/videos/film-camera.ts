import { AssayError } from '#core';
import type { episodeRows, Store, TenantScope } from '#store';
import { frameService } from '../frames/frame-service.ts';
import { locateCamera } from '../frames/locate-camera.ts';
import type { FilmedCamera } from './make-video.ts';
import { videoService } from './video-service.ts';

interface Wanted {
  readonly store: Store;
  readonly scope: TenantScope;
  readonly found: episodeRows.EpisodeWithReceipt;
  readonly stream_id: string;
}

/** Where the pictures of a camera lie. Throws `not_found` for a stream without any. */
export async function filmCamera(wanted: Wanted): Promise<FilmedCamera> {
  const { store, found, stream_id } = wanted;
  const located = await locateCamera(store, frameService(store), found, stream_id);
  if (located.camera.frames !== null) return { ...wanted, videos: videoService(store), located };
  throw new AssayError('not_found', `the stream ${stream_id} has no pictures`, {
    advice: 'GET …/playback lists the cameras of an episode',
  });
}
