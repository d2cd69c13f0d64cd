import { type ChangeEvent, useRef } from 'react';
import { type ChosenFile, filesOfInput } from './chosen-files.ts';

interface PickFilesProps {
  readonly may: boolean;
  readonly onPick: (files: readonly ChosenFile[]) => void;
}

/** The two dialogs of a browser: files, or a folder with all that is in it. */
export function PickFiles({ may, onPick }: PickFilesProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    if (target.files !== null) onPick(filesOfInput(target.files));
    // The same files may be chosen again.
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
