// Written by `npm run generate` from src/core/api. Change it there.
export type Source = {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly state: 'open' | 'ready' | 'gone';
  readonly location:
    | {
        readonly kind: 'folder';
        readonly path: string;
      }
    | {
        readonly kind: 's3';
        readonly bucket: string;
        readonly prefix: string;
      }
    | {
        readonly kind: 'upload';
        readonly upload_url: string;
        readonly expires_at: string | null;
      };
  readonly files: number | null;
  readonly bytes: number | null;
  readonly created_at: string;
  readonly created_by: string;
};

export interface SourceFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly state: 'promised' | 'receiving' | 'whole';
  readonly upload_url: string | null;
}
