import { labelFormats } from '../../image-folder/labels/label-formats.ts';

/** A file format that is recognised by content where no reader claims the file. */
export interface KnownFile {
  readonly title: string;
  readonly advice: string;
}

interface KnownFileRow extends KnownFile {
  /** All must match the first bytes. */
  readonly signs: readonly RegExp[];
}

const toCoco = 'export the labels as COCO or YOLO from the tool that wrote them, then assess again';

/** Label tools and recorders by what is in their files, most specific first. Sources: their published file formats. */
const knownFiles: readonly KnownFileRow[] = [
  {
    title: 'recording of Unitree xr_teleoperate',
    signs: [/"states"\s*:/, /"actions"\s*:/, /"qpos"\s*:/, /"colors"\s*:/],
    advice:
      'assess the folder that contains the episodes as the recorder wrote them: each with data.json and its images',
  },
  ...[
    ...labelFormats.map(({ title, signs }) => ({ title, signs })),
    { title: 'VGG Image Annotator', signs: [/"vid"\s*:/, /"xy"\s*:/, /"fname"\s*:/] },
    { title: 'Scalabel', signs: [/"labels"\s*:/, /"(box2d|poly2d|box3d)"\s*:/] },
    { title: 'SuperAnnotate', signs: [/"instances"\s*:/, /"className"\s*:/] },
    { title: 'Create ML', signs: [/"annotations?"\s*:/, /"coordinates"\s*:/] },
    { title: 'COCO', signs: [/"image_id"\s*:/, /"(bbox|segmentation|category_id)"\s*:/] },
    { title: 'CVAT', signs: [/<annotations[\s>]/, /<(image|track|meta)[\s>]/] },
  ].map((row) => ({ ...row, title: `${row.title} labels`, advice: toCoco })),
];

/**
 * Returns the label or recording format that the first bytes of a text show, with advice; `null` if none of the known
 * ones matches.
 */
export function identifyText(head: string): KnownFile | null {
  return knownFiles.find(({ signs }) => signs.every((sign) => sign.test(head))) ?? null;
}
