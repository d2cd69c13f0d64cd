// Written by `npm run generate` from src/core/api. Change it there.
import type { ExportChoice, ExportEdits } from './exports.ts';

export interface ListExportsInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'sealed' | undefined;
}

export interface CreateExportInput {
  readonly project_id: string;
  /** Defaults to the export format of the project’s target profile. */
  readonly format?:
    | 'lerobot-v3'
    | 'lerobot-v2.1'
    | 'webdataset'
    | 'coco-detection'
    | 'image-folder'
    | 'zarr-replay-buffer'
    | 'mcap'
    | undefined;
  readonly rate_hz?: number | undefined;
  readonly source_id?: string | undefined;
  readonly dataset_path?: string | undefined;
  readonly episodes?: ExportChoice | undefined;
  readonly edits?: ExportEdits | undefined;
  /**
   * Whether to include annotations of layers, marked as written by a machine or a person and apart from
   * the labels of the recordings. Defaults to false. In LeRobot v3.0 they need LeRobot 0.6 or newer.
   */
  readonly annotations?: boolean | undefined;
  readonly purpose?: 'training' | 'evaluation' | undefined;
}

export interface GetExportInput {
  readonly project_id: string;
  readonly export_id: string;
}

export interface DeleteExportInput {
  readonly project_id: string;
  readonly export_id: string;
}

export interface CancelExportInput {
  readonly project_id: string;
  readonly export_id: string;
}

export interface SealExportInput {
  readonly project_id: string;
  readonly export_id: string;
}

export interface GetExportLineageInput {
  readonly project_id: string;
  readonly export_id: string;
}

export interface GetExportDownloadInput {
  readonly project_id: string;
  readonly export_id: string;
  readonly as?: 'tar' | 'zip' | undefined;
}

export interface ListExportFilesInput {
  readonly project_id: string;
  readonly export_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface GetExportFileInput {
  readonly project_id: string;
  readonly export_id: string;
  readonly file: string;
}
