import type { Source } from '#client';
import { useMay } from '../../../shell/session.tsx';
import { PickFiles } from './pick-files.tsx';
import { beginUpload, useUploads } from './uploads.ts';

/** Resumes an upload started on an earlier page: the user chooses the same files, and only missing parts are sent. */
export function ResumeUpload({ source: { id: source_id, project_id, name } }: { readonly source: Source }) {
  const may = useMay('engineer');
  const isHere = useUploads(project_id).some((upload) => upload.source_id === source_id);
  if (isHere) return <span className="faint">In progress: see “Upload recordings” below</span>;
  return (
    <>
      <p className="faint">
        Upload incomplete. Choose the same files again; only the missing parts are sent.
      </p>
      <PickFiles
        may={may}
        onPick={(files) => {
          if (files.length > 0) beginUpload({ project_id, name, files, source_id });
        }}
      />
      {!may && <span className="action-why">Requires the engineer role</span>}
    </>
  );
}
