import { nuScenesTables, type Tables, token } from '../nuscenes-tables.ts';
import type { PlantedFormat } from './plant.ts';
import { greyPng } from './png.ts';

const version = 'v1.0-mini';
const second = 'scene-0103';
const nowhere = token('nowhere');

interface Changes {
  readonly tables?: (tables: Tables) => void;
  readonly files?: (files: Record<string, Uint8Array>) => void;
  /** Texts written instead of a table. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** Two scenes, of which what is given is changed. */
function set({
  tables: change,
  files: changeFiles,
  texts = {},
}: Changes): Record<string, Uint8Array | string> {
  const { tables, files } = nuScenesTables(['scene-0061', second], greyPng(64, 36));
  change?.(tables);
  changeFiles?.(files);
  const written = Object.entries(tables).map(([name, rows]) => [
    `${version}/${name}.json`,
    texts[name] ?? JSON.stringify(rows),
  ]);
  return { ...files, ...Object.fromEntries(written) };
}

const of = (rule: string, changes: Changes) => ({ rule, episode: 1, files: set(changes) });
const ofSet = (rule: string, changes: Changes) => ({ rule, episode: null, files: set(changes) });

const row = (rows: Tables[string], own: string) => rows.find((one) => one.token === own)!;
const pathOf = (files: Record<string, Uint8Array>, part: string) =>
  Object.keys(files).find((path) => path.includes(part))!;

export const nuScenesPlants: PlantedFormat = {
  title: 'nuScenes',
  sound: set({}),
  plants: [
    ofSet('tables_missing', { tables: (tables) => delete tables.attribute }),
    ofSet('file_truncated', { texts: { attribute: '[{"token": "a", "na' } }),
    ofSet('table_malformed', { texts: { attribute: '{"a": 1}' } }),
    ofSet('records_broken', { texts: { attribute: '[{"token": "a",, "name": "b"}]' } }),
    ofSet('nuscenes_token_twice', {
      tables: ({ category }) => category.push({ ...category[0], name: 'vehicle.truck' }),
    }),
    ofSet('nuscenes_reference_broken', {
      tables: ({ calibrated_sensor }) => (calibrated_sensor[1].sensor_token = nowhere),
    }),
    ofSet('nuscenes_reference_broken', {
      tables: ({ sample_data }) =>
        (row(sample_data, token(second, 'CAM_FRONT', 3)).calibrated_sensor_token = nowhere),
    }),
    ofSet('nuscenes_reference_broken', {
      tables: ({ sample_data }) => (row(sample_data, token(second, 'CAM_FRONT', 0)).sample_token = nowhere),
    }),
    ofSet('nuscenes_reference_broken', { tables: ({ map }) => (map[0].log_tokens = []) }),
    ofSet('nuscenes_map_missing', { tables: ({ map }) => map.pop() }),
    ofSet('nuscenes_map_missing', { tables: ({ map }) => delete map[0].log_tokens }),
    ofSet('nuscenes_map_mask_missing', { files: (files) => delete files[pathOf(files, 'maps/')] }),
    ofSet('nuscenes_sample_chain', {
      tables: ({ sample }) => (row(sample, token(second, 2)).next = nowhere),
    }),
    ofSet('records_without_scene', {
      tables: ({ sample_data }) => (row(sample_data, token(second, 'CAM_FRONT', 1)).sample_token = nowhere),
    }),
    ofSet('files_missing', { files: (files) => delete files[pathOf(files, `LIDAR_TOP/${second}`)] }),
    of('nuscenes_box_reference_broken', {
      tables: ({ sample_annotation }) =>
        (row(sample_annotation, token(second, 1, 0)).instance_token = nowhere),
    }),
    of('nuscenes_box_reference_broken', {
      tables: ({ instance }) => (row(instance, token('instance', second, 0)).category_token = nowhere),
    }),
    of('poses_missing', {
      tables: (tables) => {
        const lost = token(second, 'LIDAR_TOP', 3);
        tables.ego_pose = tables.ego_pose.filter((one) => one.token !== lost);
      },
    }),
    of('nuscenes_scan_cut', {
      files: (files) => {
        files[pathOf(files, `LIDAR_TOP/${second}`)] = new Uint8Array(52);
      },
    }),
  ],
};
