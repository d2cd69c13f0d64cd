// Written by `npm run generate` from src/contract. Change it there.
import type { RunError } from './shared.ts';

export interface Export {
  readonly id: string;
  readonly project_id: string;
  readonly source_id: string;
  readonly dataset_path: string;
  readonly format:
    | 'lerobot-v3'
    | 'lerobot-v2.1'
    | 'webdataset'
    | 'coco-detection'
    | 'image-folder'
    | 'zarr-replay-buffer'
    | 'mcap';
  readonly rate_hz: number | null;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'sealed';
  readonly chosen: {
    readonly decisions: readonly ('accept' | 'review' | 'reject')[];
    readonly named: number | null;
    readonly slice_id: string | null;
    readonly curation_id: string | null;
    readonly without: number;
  };
  readonly purpose: 'training' | 'evaluation';
  readonly episodes: {
    readonly kept: number;
    readonly dropped: number;
    readonly written: number;
  };
  readonly files: number;
  readonly bytes: number;
  readonly seal: string | null;
  readonly estimate_usd: number;
  readonly reserved_usd: number;
  readonly measured_usd: number;
  readonly compute_s: number;
  readonly error: RunError | null;
  readonly waiting: RunError | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly sealed_by: string | null;
  readonly sealed_at: string | null;
}

export interface ExportChoice {
  readonly decisions?: readonly ('accept' | 'review' | 'reject')[] | undefined;
  readonly slice_id?: string | undefined;
  readonly curation_id?: string | undefined;
  readonly episode_ids?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
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
    readonly flags: readonly string[];
  }[];
  readonly edits: readonly Readonly<Record<string, unknown>>[];
  readonly files: readonly ExportFile[];
  readonly seal: string;
}
