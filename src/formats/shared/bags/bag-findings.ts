import type { Finding } from '#core/episode';
import type { BagMetadata } from './bag-metadata.ts';
import { uncompressedName } from './sidecar.ts';

/** What was counted while the files of a bag were read. */
export interface BagCounts {
  readonly messages: number;
  readonly byFile: ReadonlyMap<string, number>;
  readonly byTopic: ReadonlyMap<string, number>;
}

/** Holds what rosbag2 says of a bag against what is in it. `where` names where it says so. */
export function compareBag(said: BagMetadata, counted: BagCounts, path: string, where: string): Finding[] {
  const findings: Finding[] = [];
  if (said.messages !== null && said.messages !== counted.messages) {
    const topics = [...said.topicMessages].filter(([topic, n]) => n !== (counted.byTopic.get(topic) ?? 0));
    findings.push({
      code: 'metadata_count_mismatch',
      severity: 'error',
      path,
      message: `${where} says ${said.messages} messages; ${counted.messages} were found`,
      advice: 'find the missing files, or reindex the bag (ros2 bag reindex)',
      evidence: {
        declared: said.messages,
        counted: counted.messages,
        topics: Object.fromEntries(
          topics
            .slice(0, 16)
            .map(([topic, declared]) => [topic, { declared, counted: counted.byTopic.get(topic) ?? 0 }]),
        ),
      },
    });
  }
  for (const [file, declared] of said.fileMessages) {
    const found = counted.byFile.get(uncompressedName(file));
    if (found === undefined || found === declared) continue;
    findings.push({
      code: 'metadata_count_mismatch',
      severity: 'warning',
      path,
      message: `${where} says ${declared} messages for ${file}; ${found} were found`,
      advice: 'reindex the bag (ros2 bag reindex)',
    });
  }
  return findings.slice(0, 8);
}

/** Files that a bag's metadata lists and that are not there. */
export function missingFiles(missing: readonly string[], listed: number, path: string): Finding[] {
  if (missing.length === 0) return [];
  const shown = missing.slice(0, 16).join(', ');
  return [
    {
      code: 'bag_file_missing',
      severity: 'error',
      path,
      message: `${missing.length} of the ${listed} files that metadata.yaml lists are missing: ${shown}${missing.length > 16 ? ', …' : ''}`,
      advice: 'copy the whole bag folder; what is there was read as one recording',
    },
  ];
}

/** A recording beside a bag's files that its metadata does not know. */
export function unlistedFile(path: string, sidecar: string): Finding {
  return {
    code: 'bag_file_unlisted',
    severity: 'warning',
    path,
    message: `${sidecar} does not list ${path}; it was read as a recording of its own`,
    advice: 'reindex the bag (ros2 bag reindex), or take the file out of the folder',
  };
}
