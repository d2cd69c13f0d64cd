import * as hdf5 from '@assay/hdf5/fuzz';
import * as rosMessages from '@assay/ros-messages/fuzz';
import * as sqlite from '@assay/sqlite-reader/fuzz';

/** A package of this repository that reads bytes by itself. */
interface CodecTarget {
  /** Good files by name. */
  seeds(): ReadonlyMap<string, Buffer>;
  /** Reads all of a file and answers what was refused; throws what is a fault. */
  read(bytes: Buffer): Promise<readonly string[]>;
}

/** Fuzz targets of `packages/`, by the name that `--format` takes. */
export const codecs: Readonly<Record<string, CodecTarget>> = {
  'packages/hdf5': hdf5,
  'packages/ros-messages': rosMessages,
  'packages/sqlite-reader': sqlite,
};
