import { sha256 } from '#core';
import type { Finding, PictureLabel, SourceRef } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import { pictureDataset } from '../shared/pictures/picture-dataset.ts';
import type { PictureEntry } from '../shared/pictures/picture-episode.ts';
import { isCalledPicture } from '../shared/pictures/picture-names.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { classFiles, readClassFile, readConfig, type YoloConfig, yamlFiles } from './config.ts';
import { labelFileOf } from './label-paths.ts';
import { parseLabels } from './parse-labels.ts';
import { headerBytes, type PictureHeader, pictureHeader } from './picture-header.ts';
import { yoloBreach } from './rules.ts';
import { mostLabelBytes, scanLabels } from './scan-labels.ts';
import { setFindings } from './set-findings.ts';
import { listedPictures } from './splits.ts';
import { type LabelFault, labelFault } from './verify-labels.ts';

export async function openYolo(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const pictures = tree.files.filter((file) => isCalledPicture(file.path));
  const config = await configOf(tree);
  const listed = await listedPictures(tree, config);
  const labelFiles = pictures.map(({ path }) => labelFileOf(tree, path));
  const labelled = [...new Set(labelFiles.flatMap((path) => path ?? []))];
  const findings = [
    ...config.findings,
    ...listed.findings,
    ...(await setFindings(tree, { pictures, labelFiles, listed, config })),
    ...(await scanLabels(tree, labelled, config)),
  ];
  return pictureDataset({
    tree,
    recognition,
    findings,
    facts: {
      format: 'yolo',
      version: null,
      declared_episodes:
        listed.has === null ? null : pictures.filter(({ path }) => listed.has?.(path)).length,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    bytes: pictures.map((file) => file.bytes),
    entry: (index) => readEntry(tree, pictures[index], labelFiles[index], config),
  });
}

async function configOf(tree: SourceTree): Promise<YoloConfig> {
  const failed: Finding[] = [];
  for (const path of yamlFiles(tree)) {
    const config = await readConfig(tree, path);
    if (config.isDataset) return config;
    failed.push(...config.findings);
  }
  const [list] = classFiles(tree);
  if (list !== undefined) return readClassFile(tree, list);
  return {
    path: 'data.yaml',
    isDataset: false,
    names: null,
    classes: null,
    splits: [],
    root: null,
    keypoints: null,
    findings: failed,
  };
}

/** A picture with the labels of its file, in pixels as far as its header gives its size. Never throws. */
async function readEntry(
  tree: SourceTree,
  { path, bytes }: FileEntry,
  labelFile: string | null,
  config: YoloConfig,
): Promise<PictureEntry> {
  const header = pictureHeader(
    await tree.head(path, Math.min(bytes, headerBytes)).catch(() => new Uint8Array()),
  );
  const entry = {
    path,
    bytes,
    size_px: header?.size_px ?? null,
    captions: [],
    findings: [...turned(path, header), ...smallFinding(path, header)],
  };
  if (labelFile === null) return { ...entry, labels: [], annotations: [] };
  // What cannot be read is counted for the set: here it is a source without a hash.
  const content = await tree.read(labelFile, mostLabelBytes).catch(() => null);
  const source: SourceRef = {
    path: labelFile,
    bytes: content?.length ?? tree.entry(labelFile)?.bytes ?? 0,
    sha256: content === null ? null : sha256(content),
    role: 'annotation',
  };
  if (content === null) return { ...entry, labels: [], annotations: [source] };
  const fault = labelFault(utf8(content), config);
  const findings = [...entry.findings, ...(fault === null ? [] : [droppedFinding(path, labelFile, fault)])];
  const { labels } = parseLabels(new TextDecoder().decode(content), config, () => {});
  const inPixels = labels.map(({ class_index, box }): PictureLabel => {
    const category = config.names === null ? `class ${class_index}` : (config.names.get(class_index) ?? '');
    if (header === null) return { category, box_px: null };
    const [width, height] = header.size_px;
    return { category, box_px: [box[0] * width, box[1] * height, box[2] * width, box[3] * height] };
  });
  return { ...entry, findings, labels: inPixels, annotations: [source] };
}

/** Null: it is not. */
function utf8(content: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return null;
  }
}

function droppedFinding(path: string, labelFile: string, { rule, why }: LabelFault): Finding {
  return yoloBreach(rule, path, `training leaves ${path} out for its labels: of ${labelFile}, ${why}`);
}

function smallFinding(path: string, header: PictureHeader | null): Finding[] {
  if (header === null || Math.min(...header.size_px) >= 10) return [];
  const message = `training leaves ${path} out: it has ${header.size_px.join(' x ')} pixels`;
  return [yoloBreach('yolo_picture_small', path, message)];
}

function turned(path: string, header: PictureHeader | null): Finding[] {
  if (header === null || header.orientation === 1) return [];
  return [
    {
      code: 'picture_turned',
      severity: 'warning',
      path,
      message: `${path} has EXIF orientation ${header.orientation}: tools show it turned, and its labels may mean the picture as shown or as stored`,
      advice: 'turn the pixels and drop the orientation, then look whether the labels still fit',
      evidence: { orientation: header.orientation },
    },
  ];
}
