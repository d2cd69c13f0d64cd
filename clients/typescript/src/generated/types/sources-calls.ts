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
      /** absent: the last part of its path */
      readonly name?: string | undefined;
      /** absolute path of a folder, or of one file, on the machine of the service, under one of its roots */
      readonly path: string;
    }
  | {
      readonly kind: 's3';
      /** absent: the last part of its path */
      readonly name?: string | undefined;
      readonly bucket: string;
      /** everything below it is read; empty: the whole bucket */
      readonly prefix?: string | undefined;
    }
  | {
      readonly kind: 'upload';
      readonly name: string;
      /** files that will be sent, so that completing can name what is missing; others may be sent too */
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
