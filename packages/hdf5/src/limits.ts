/** Bounds of what a file may ask of its reader; beyond them it is damaged or hostile, and read no further. */
export const limits = {
  /** A piece of structure read at once: a header block, a heap, a node. */
  structureBytes: 64 * 1024 * 1024,
  /** Pages of structure kept for the next question. */
  pageBytes: 16 * 1024,
  pages: 512,
  /** Messages of one object's header, and blocks they lie in. */
  headerMessages: 65_536,
  headerBlocks: 4_096,
  /** Nodes of one tree, and blocks of one heap. */
  nodes: 1_000_000,
  /** Members of one group, attributes of one object. */
  links: 1_000_000,
  attributes: 65_536,
  /** One datatype inside another. */
  typeDepth: 16,
  /** Soft links followed on the way to one object, and names of its path. */
  softLinks: 16,
  pathNames: 64,
  dimensions: 32,
  filters: 32,
  chunks: 8_000_000,
  /** One chunk, unpacked. HDF5 allows 4 GiB; recordings stay far below. */
  chunkBytes: 512 * 1024 * 1024,
  /** Numbers or bytes answered by one call. */
  answerBytes: 2 * 1024 * 1024 * 1024,
  /** One text, one sequence; and collections of them kept for the next question. */
  itemBytes: 256 * 1024 * 1024,
  collections: 16,
} as const;
