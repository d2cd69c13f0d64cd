import type { AlohaReader } from '../../rules/aloha/readers.ts';

/** What a file of an ALOHA set shows of itself: plain data. */
export interface AlohaOutline {
  /** Whom the file is held to: encoded pictures are for act-plus-plus. */
  readonly reader: AlohaReader;
  /** The attribute compress. */
  readonly says_encoded: boolean;
  readonly has_encoded: boolean;
  /** Shapes of /action and /observations/qpos. */
  readonly action: readonly number[];
  readonly qpos: readonly number[];
  /** Names below /observations/images, without depth; those that cannot be read too. */
  readonly cameras: readonly string[];
  /** Shape of a picture, of the cameras that give pixels. */
  readonly sizes: Readonly<Record<string, readonly number[]>>;
}
