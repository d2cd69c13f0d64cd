import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import { listEpisodeFilesV3 } from '../read/episodes/episodes-v3.ts';
import { createLeRobotViolation } from '../rules/contract.ts';
import type { FindingCollector } from './finding-collector.ts';
import { infoPath, type LeRobotInfo } from './info.ts';

/**
 * Returns the layout that the files show; adds a finding if codebase_version contradicts it, is missing or newer, and
 * throws `unsupported_version` for v1 and unknown layouts.
 */
export function resolveLayout(tree: SourceTree, info: LeRobotInfo, notes: FindingCollector): 'v2' | 'v3' {
  const seen = detectLayout(tree, info);
  const { version } = info;
  if (version === null) {
    notes.addFinding(
      createLeRobotViolation(
        seen,
        'version_missing',
        infoPath,
        `${infoPath} has no codebase_version; the file layout is that of ${seen}`,
      ),
    );
    return seen;
  }
  const match = /^v?(\d+)(?:\.(\d+))?/.exec(version);
  const major = match === null ? Number.NaN : Number(match[1]);
  if (major < 2) throw unsupportedVersionError(version, 'convert it to v2.0 with LeRobot 0.1 first');
  if (Number.isNaN(major) || major > 3 || (major === 3 && Number(match?.[2] ?? 0) > 0)) {
    if (seen !== 'v3') throw unsupportedVersionError(version, 'convert it to v3.0');
    notes.add(
      'version_unknown',
      'warning',
      infoPath,
      `codebase_version ${version} is newer than the versions Assay supports; the file layout matches v3.0, so it was read as v3.0`,
      'check the result, or convert the dataset to v3.0',
    );
    return 'v3';
  }
  const declared = major === 3 ? 'v3' : 'v2';
  if (declared !== seen) {
    notes.addFinding(
      createLeRobotViolation(
        seen,
        'version_contradicts_layout',
        infoPath,
        `codebase_version is ${version}, but the file layout is that of ${seen}`,
      ),
    );
  }
  return seen;
}

/** Determines the layout from the files, and from the declared version if they do not show it. */
function detectLayout(tree: SourceTree, info: LeRobotInfo): 'v2' | 'v3' {
  if (tree.has('meta/episodes.jsonl')) return 'v2';
  if (listEpisodeFilesV3(tree).length > 0 || tree.has('meta/tasks.parquet')) return 'v3';
  const perEpisode = tree.files.some((file) => /^data\/.*episode_\d+\.parquet$/i.test(file.path));
  if (perEpisode) return 'v2';
  return info.version !== null && /^v?2/.test(info.version) ? 'v2' : 'v3';
}

function unsupportedVersionError(version: string, advice: string): AssayError {
  return new AssayError('unsupported_version', `LeRobot ${version} is not supported`, {
    path: infoPath,
    advice,
  });
}
