/** Seconds after which nobody can still be writing blobs for work that ended. */
export const straggling_s = 60;
