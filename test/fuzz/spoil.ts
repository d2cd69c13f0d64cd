import type { Random } from '#core';
import { mutate } from './mutations.ts';
import type { Seed } from './seeds.ts';

/** A spoiled copy of a recording. */
export interface Spoiled {
  readonly files: ReadonlyMap<string, Buffer>;
  /** Name of the change and the file that it was made in: `flip_bits a.mcap`. */
  readonly what: string;
}

/** Does to one file of a recording what `random` says: mostly to its bytes, sometimes to the file as a whole. */
export function spoil({ files }: Seed, random: Random): Spoiled {
  const spoiled = new Map(files);
  const path = random.pick([...files.keys()]);
  const whole = files.size === 1 ? 1 : random.next();
  if (whole < 0.04) {
    spoiled.delete(path);
    return { files: spoiled, what: `remove ${path}` };
  }
  if (whole < 0.08) {
    const other = random.pick([...files.keys()]);
    spoiled.set(path, files.get(other)!);
    return { files: spoiled, what: `put ${other} in place of ${path}` };
  }
  const { bytes, names } = mutate(files.get(path)!, random);
  spoiled.set(path, bytes);
  return { files: spoiled, what: `${names.join(' and ')} ${path}` };
}
