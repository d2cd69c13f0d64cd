import { changes, refuses, tells, waits } from '../shapes.ts';
import { ids, jobs, layers, oneMore } from '../states.ts';
import type { Task, World } from '../task.ts';

const mode =
  (layer: string, value: string) =>
  ({ project_id }: World) =>
    ['set_annotation_layers', { project_id, modes: { [layer]: value } }] as const;
const modeIs = (layer: string, value: string) => (state: unknown) =>
  (state as Record<string, string>)[layer] === value;
const job =
  (layer: string, more: object = {}) =>
  ({ project_id }: World) =>
    ['run_annotation_job', { project_id, layer, ...more }] as const;

export const annotationTasks: readonly Task[] = [
  tells(
    'which-layers',
    'Which annotation layers are there? Give their ids.',
    ({ project_id }) => ['get_annotation_layers', { project_id }],
    async () => ['captions', 'segments', 'depth'],
    'viewer',
  ),
  changes(
    'segments-later',
    'Make segments only when I ask for them.',
    mode('segments', 'on_demand'),
    layers,
    modeIs('segments', 'on_demand'),
    'engineer',
  ),
  changes('captions-off', 'Never make captions.', mode('captions', 'off'), layers, modeIs('captions', 'off')),
  refuses('layer-unknown', 'Never make “smells”.', mode('smells', 'off'), layers),
  refuses('layers-by-viewer', 'Never make depth.', mode('depth', 'off'), layers, 'viewer'),
  refuses('job-of-what-is-off', 'Make captions for all episodes now.', job('captions'), ids(jobs)),
  refuses('job-without-lane', 'Make the 3D representation.', job('representation_3d'), ids(jobs)),
  waits('job-declined', 'Make metadata of all episodes anew.', job('metadata', { force: true }), ids(jobs)),
  refuses(
    'job-by-reviewer',
    'Make metadata of all episodes anew.',
    job('metadata', { force: true }),
    ids(jobs),
    'reviewer',
  ),
  changes(
    'job-agreed',
    'Make metadata of all episodes anew.',
    job('metadata', { force: true }),
    ids(jobs),
    oneMore,
    'engineer',
  ),
];
