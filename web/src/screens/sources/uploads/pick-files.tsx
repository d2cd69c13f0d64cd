import { type ChangeEvent, useRef } from 'react';
import { type ChosenFile, filesOfInput } from './chosen-files.ts';

interface PickFilesProps {
  readonly may: boolean;
  readonly onPick: (files: readonly ChosenFile[]) => void;
}

/** Buttons that open the browser's dialogs for files or a folder. */
export function PickFiles({ may, onPick }: PickFilesProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    if (target.files !== null) onPick(filesOfInput(target.files));
    // Reset, so that choosing the same files again fires a change event.
    target.value = '';
  };
  const asFolder = (input: HTMLInputElement | null) => {
    folder.current = input;
    if (input !== null) input.webkitdirectory = true;
  };
  return (
    <span className="decide-row">
      <button type="button" className="button" disabled={!may} onClick={() => files.current?.click()}>
        Choose files…
      </button>
      <button type="button" className="button" disabled={!may} onClick={() => folder.current?.click()}>
        Choose folder…
      </button>
      <input ref={files} type="file" multiple hidden aria-label="Files" onChange={pick} />
      <input ref={asFolder} type="file" hidden aria-label="Folder" onChange={pick} />
    </span>
  );
}
