import type { Camera } from '#engine';

/** A camera of an episode as it was when the episode was judged. */
export interface LocatedCamera {
  readonly camera: Camera;
  /** Sizes of the files that the receipt names, by their path in the dataset. */
  readonly bytes_of: ReadonlyMap<string, number>;
}
