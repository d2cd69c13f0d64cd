import { readers } from '#formats';

/** Whether this version of the program reads a source format. */
export const isReadable = (format: string): boolean => readers.get(format) !== undefined;
