// Written by `npm run generate` from src/core/api. Change it there.
export interface ListSourcesInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export type CreateSourceInput = {
  readonly project_id: string;
} & (
  | {
      readonly kind: 'folder';
      /** Defaults to the last part of the path. */
      readonly name?: string | undefined;
      /**
       * Absolute path of a folder or file on the service’s machine, inside one of its allowed roots; or an
       * address: `hf://OWNER/NAME`, optionally followed by `@REVISION` and a folder, `https://HOST/FOLDER/`,
       * or `s3://BUCKET/PREFIX`. The files of an address are listed when it is registered, planned, and run
       * without a plan.
       */
      readonly path: string;
    }
  | {
      readonly kind: 's3';
      /** Defaults to the last part of the path. */
      readonly name?: string | undefined;
      readonly bucket: string;
      /** All objects under this prefix are read. Empty for the whole bucket. */
      readonly prefix?: string | undefined;
    }
  | {
      readonly kind: 'upload';
      readonly name: string;
      /**
       * Files that will be uploaded, so that missing ones can be reported on completion. Other files may be
       * uploaded too.
       */
      readonly files?:
        | readonly {
            readonly path: string;
            readonly bytes: number;
            readonly sha256: string;
          }[]
        | undefined;
    }
);

export interface GetSourceInput {
  readonly source_id: string;
}

export interface DeleteSourceInput {
  readonly source_id: string;
}

export interface ListSourceFilesInput {
  readonly source_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly state?: 'all' | 'unfinished' | undefined;
}

export interface CompleteSourceInput {
  readonly source_id: string;
}
