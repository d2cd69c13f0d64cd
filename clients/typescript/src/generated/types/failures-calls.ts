// Written by `npm run generate` from src/core/api. Change it there.
import type { FailureRecord } from './failures.ts';
import type { CurationPlanInput } from './shared.ts';

export type ImportFailuresInput = {
  readonly project_id: string;
  readonly name?: string | undefined;
  readonly records?: readonly FailureRecord[] | undefined;
  readonly file?:
    | {
        readonly format: 'json' | 'csv' | 'lerobot-eval';
        readonly text: string;
      }
    | undefined;
  readonly source_id?: string | undefined;
  readonly task?: string | undefined;
  readonly neighbours?: number | undefined;
  readonly novel_from?: number | undefined;
};

export interface ListFailuresInput {
  readonly project_id: string;
  readonly import_id?: string | undefined;
  readonly verdict?: 'near' | 'novel' | 'not_assessable' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface GetFailureImportInput {
  readonly project_id: string;
  readonly import_id: string;
}

export interface CloseLoopInput {
  readonly project_id: string;
  readonly import_id: string;
  readonly name?: string | undefined;
  readonly plan?: CurationPlanInput | undefined;
  readonly factor?: number | undefined;
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
}
