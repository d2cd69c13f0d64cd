import { AssayError, systemCode } from '#core';

/** Waits for something to be written. Throws `output_unwritable`, with the system's own word. */
export async function writing<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    throw new AssayError('output_unwritable', `${path} could not be written (${code})`, {
      path,
      advice: 'check that the folder may be written to and that the disk is not full',
    });
  }
}
