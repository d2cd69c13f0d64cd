import type { SightingLayer } from '../../../shared/write/set/sightings.ts';

/** A column of a table that lies beside a LeRobot set. */
interface SidecarColumn {
  readonly name: string;
  /** As SQL has it. */
  readonly type: string;
  readonly about: string;
}

const place: readonly SidecarColumn[] = [
  { name: 'episode_index', type: 'BIGINT', about: 'of the set' },
  { name: 'frame_index', type: 'BIGINT', about: 'row of the episode that shows the picture' },
  { name: 'timestamp', type: 'FLOAT', about: 'of that row, in seconds' },
  { name: 'camera', type: 'VARCHAR', about: 'feature of the set' },
  { name: 'picture_width', type: 'BIGINT', about: 'of the recorded picture, in px, which all places are in' },
  { name: 'picture_height', type: 'BIGINT', about: 'of the recorded picture, in px' },
];
const label = (about: string): SidecarColumn => ({ name: 'label', type: 'VARCHAR', about });
const score: SidecarColumn = { name: 'score', type: 'DOUBLE', about: 'confidence, 0 to 1' };
const box: SidecarColumn = {
  name: 'box',
  type: 'DOUBLE[]',
  about: 'left, top, width and height, in px',
};
const points: SidecarColumn = {
  name: 'points',
  type: 'DOUBLE[][]',
  about: 'x and y of each point in px, and its confidence where there is one',
};

/** The columns of each layer's table, in order. */
export const sidecarColumns: Readonly<Record<SightingLayer, readonly SidecarColumn[]>> = {
  object_labels: [
    ...place,
    label('class of the object'),
    score,
    box,
    {
      name: 'mask',
      type: 'STRUCT(size BIGINT[], counts VARCHAR)',
      about: 'outline in COCO’s run lengths, size as height and width; null: none',
    },
  ],
  tracks: [
    ...place,
    { name: 'track_id', type: 'BIGINT', about: 'the same for one object in all pictures of a camera' },
    label('class of the object; null: a point is followed'),
    score,
    box,
    points,
  ],
  body_pose: [...place, score, box, points],
  hand_pose: [
    ...place,
    label('left or right'),
    { name: 'label_score', type: 'DOUBLE', about: 'confidence of the label, 0 to 1' },
    score,
    box,
    points,
  ],
};
