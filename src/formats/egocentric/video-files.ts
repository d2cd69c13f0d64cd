import { counted } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';

const called = /\.(mp4|m4v|mov|mkv|webm|avi|ts|mts|mpe?g)$/i;

/** Videos of a folder by the name that annotations give them: the file's name without its extension. */
export function videosByName(tree: SourceTree): Map<string, FileEntry> {
  const found = new Map<string, FileEntry>();
  for (const file of tree.files) {
    if (!called.test(file.path) || file.bytes === 0) continue;
    const name = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
    const before = found.get(name);
    // Ego4D also ships scaled copies: times are those of the full video in each.
    if (before === undefined || (!isFull(before) && isFull(file))) found.set(name, file);
  }
  return found;
}

const isFull = ({ path }: FileEntry): boolean => /(?:^|\/)full_scale\//.test(path);

/** What annotations and videos lack of each other. `annotated`: how many videos the annotations name. */
export function partnerFindings(
  source: string,
  annotated: number,
  absent: readonly string[],
  without: readonly string[],
): Finding[] {
  const findings: Finding[] = [];
  if (absent.length > 0)
    findings.push({
      code: 'videos_missing',
      severity: 'error',
      path: source,
      message: `${absent.length} of the ${annotated} videos that ${source} names are not there (${some(absent)})`,
      advice:
        'copy the videos beside their annotations, or take only the annotations of those that are there',
      evidence: { named: annotated, absent: absent.length },
    });
  if (without.length > 0)
    findings.push({
      code: 'videos_without_narrations',
      severity: 'info',
      path: source,
      message: `${counted(without.length, 'videos are')} not in ${source} (${some(without)}), and read without narrations`,
      advice: 'nothing to do, unless their annotations lie elsewhere',
      evidence: { videos: without.length },
    });
  return findings;
}

function some(names: readonly string[]): string {
  return names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
}
