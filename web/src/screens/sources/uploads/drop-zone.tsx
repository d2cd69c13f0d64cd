import { type DragEvent, useState } from 'react';
import { useMay } from '../../../shell/session.tsx';
import { type ChosenFile, filesOfDrop } from './chosen-files.ts';
import { PickFiles } from './pick-files.tsx';
import { uploadName } from './upload-name.ts';
import { beginUpload } from './uploads.ts';

/** Upload area for files and folders that are dropped or chosen in a dialog. */
export function DropZone({ project_id }: { readonly project_id: string }) {
  const may = useMay('engineer');
  const [isOver, setOver] = useState(false);
  const [notice, setNotice] = useState('');
  const begin = (files: readonly ChosenFile[]) => {
    setNotice(files.length === 0 ? 'No files found.' : '');
    if (files.length > 0) beginUpload({ project_id, name: uploadName(files), files, source_id: null });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!may) return;
    void filesOfDrop(event.dataTransfer).then(begin, () => setNotice('Could not read the dropped files.'));
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(may);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same by keyboard
    <div
      className={isOver ? 'drop-zone is-over' : 'drop-zone'}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>Drop files or a folder here</p>
      <PickFiles may={may} onPick={begin} />
      <p className="faint">
        {may
          ? 'Interrupted uploads resume where they stopped. Each file is verified against its SHA-256 hash.'
          : 'Requires the engineer role'}
      </p>
      {notice !== '' && <p role="status">{notice}</p>}
    </div>
  );
}
