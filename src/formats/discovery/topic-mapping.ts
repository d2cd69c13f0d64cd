import type { SourceRef } from '#core/episode';
import { createFileHasher, type SourceTree } from '#io/sources';
import { findTopicMappingFile } from '../mapped/mapping-files.ts';
import type { Dataset } from '../shared/reader.ts';

/** Formats whose recordings consist of topics. */
export const topicFormats: ReadonlySet<string> = new Set(['mcap', 'rosbag', 'rosbag2']);

/**
 * Returns the dataset with its topics read by the mapping file in its folder, which becomes a source of each episode;
 * the dataset itself if it holds no MCAP files or bags, or there is no mapping file.
 * @param folder all files of the dataset's folder
 * @throws AssayError `unreadable_input` if the mapping is invalid
 */
export async function withTopicMapping(folder: SourceTree, dataset: Dataset): Promise<Dataset> {
  const path = topicFormats.has(dataset.facts.format) ? await findTopicMappingFile(folder) : null;
  if (path === null) return dataset;
  const { parseTopicMapping } = await import('../mapped/mapping.ts');
  const topics = parseTopicMapping(await folder.text(path, 1024 * 1024), path);
  const hasher = createFileHasher(folder);
  const toSource = async (isHashed: boolean): Promise<SourceRef> => {
    const sha256 = isHashed ? await hasher.sha256(path) : null;
    return { path, bytes: folder.entry(path)?.bytes ?? 0, sha256, role: 'metadata' };
  };
  return {
    ...dataset,
    close: () => dataset.close(),
    async *read(unit, options) {
      const source = await toSource(options.hashes !== false && options.look !== true);
      for await (const item of dataset.read(unit, { ...options, topics }))
        yield 'unreadable' in item ? item : { ...item, sources: [...item.sources, source] };
    },
  };
}
