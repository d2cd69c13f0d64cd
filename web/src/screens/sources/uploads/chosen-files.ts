/** A file that is to be sent, and where it lies in the upload. */
export interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** What was chosen in a dialog: of a folder each file with its path, else by its name. */
export const filesOfInput = (list: FileList): readonly ChosenFile[] =>
  [...list].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }));

/** What was dropped: files, and all that is in folders. */
export async function filesOfDrop(transfer: DataTransfer): Promise<readonly ChosenFile[]> {
  // Entries are there only until the event has ended.
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
    // A browser gives a hundred at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return files;
    for (const each of some) files.push(...(await filesBelow(each)));
  }
}
