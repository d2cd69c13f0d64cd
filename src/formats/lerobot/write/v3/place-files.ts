/** Files of a kind lie in chunks of this many. */
export const filesPerChunk = 1000;
export const dataFile_bytes = 100e6;
export const videoFile_bytes = 200e6;

/** Where file number `file` lies: LeRobot counts files within chunks. */
export interface FilePlace {
  readonly chunk_index: number;
  readonly file_index: number;
}

export function placeOf(file: number): FilePlace {
  return { chunk_index: Math.floor(file / filesPerChunk), file_index: file % filesPerChunk };
}

/** `chunk-000/file-012`. */
export function chunkAndFile(file: number): string {
  const { chunk_index, file_index } = placeOf(file);
  return `chunk-${padded(chunk_index)}/file-${padded(file_index)}`;
}

function padded(number: number): string {
  return String(number).padStart(3, '0');
}
