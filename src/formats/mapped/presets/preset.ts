import type { SourceTree } from '#io/sources';

/** A mapping that ships with the program, for a layout that is recognised by its contents. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  /** Returns the layout if the folder has it; `null` if not. Reads file names, first bytes, and whole files of single steps. */
  recognise(tree: SourceTree): Promise<PresetMatch | null>;
}

/** A folder in the layout of a preset. */
export interface PresetMatch {
  /** Observation by which the layout was recognised. */
  readonly evidence: string;
  /** The mapping in YAML, as it would be in a mapping file. */
  readonly mapping: string;
  /** True for files that the mapping reads, or that hold nothing more. */
  accountsFor(path: string): boolean;
}
