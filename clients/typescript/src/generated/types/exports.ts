// Written by `npm run generate` from src/core/api. Change it there.
export interface ExportChoice {
  readonly decisions?: readonly ('accept' | 'review' | 'reject')[] | undefined;
  readonly slice_id?: string | undefined;
  readonly curation_id?: string | undefined;
  readonly episode_ids?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
}

/**
 * Edits applied during export, with the same values as the options of `assay export`, such as {"trim":
 * ["idle"]}.
 */
export interface ExportEdits {
  readonly drop?: readonly string[] | undefined;
  readonly convert?: readonly string[] | undefined;
  readonly cut?: readonly string[] | undefined;
  readonly shift?: readonly string[] | undefined;
  readonly trim?: readonly string[] | undefined;
  readonly video?: readonly string[] | undefined;
  readonly size?: readonly string[] | undefined;
  readonly rename?: readonly string[] | undefined;
  readonly split?: readonly string[] | undefined;
}

export interface ExportFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Lineage {
  readonly schema: 'assay/lineage/v1';
  readonly format: string;
  readonly assay: string;
  readonly source: {
    readonly name: string;
    readonly format: string;
    readonly version: string | null;
    readonly files: readonly {
      readonly path: string;
      readonly sha256: string | null;
    }[];
  };
  readonly settings_hash: string | null;
  readonly kept: readonly {
    readonly id: string;
    readonly source_index: number;
    readonly decision: string;
    readonly index: number;
    readonly receipt: string;
  }[];
  readonly dropped: readonly {
    readonly id: string;
    readonly source_index: number;
    readonly decision: string;
    readonly receipt: string | null;
    readonly reason: string;
    readonly stage?: 'without' | 'curation' | 'slice' | 'episode_ids' | 'decision' | 'held_out' | undefined;
    readonly flags: readonly string[];
  }[];
  readonly edits: readonly Readonly<Record<string, unknown>>[];
  readonly files: readonly ExportFile[];
  readonly seal: string;
}
