/** File to upload and its path in the upload. */
export interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** Returns the files chosen in a dialog; files of a folder with their relative paths, others with their names. */
export const filesOfInput = (list: FileList): readonly ChosenFile[] =>
  [...list].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }));

/** Returns the dropped files, including those in dropped folders. */
export async function filesOfDrop(transfer: DataTransfer): Promise<readonly ChosenFile[]> {
  // Entries are only available during the event.
  const dropped = [...transfer.items].map((item) => {
    const entry = item.webkitGetAsEntry();
    if (entry !== null) return filesBelow(entry);
    const file = item.getAsFile();
    return file === null ? [] : [{ path: file.name, file }];
  });
  return (await Promise.all(dropped)).flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<readonly ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: ChosenFile[] = [];
  for (;;) {
    // Browsers return at most 100 entries per call, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return files;
    for (const each of some) files.push(...(await filesBelow(each)));
  }
}
