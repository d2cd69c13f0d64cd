import type { AnnotationSettings, AnnotationStatus, LayerMode, ModelSurface } from '#client';
import { Action } from '../../components/action.tsx';
import { plural, spaced, usd } from '../../components/words.ts';
import { LayerModel } from './layer-model.tsx';
import { RunLayer } from './run-layer.tsx';

interface LayerTileProps {
  readonly project_id: string;
  readonly layer: AnnotationSettings['layers'][number];
  readonly status: AnnotationStatus['layers'][number] | undefined;
  readonly models: readonly ModelSurface[];
  readonly cost: AnnotationSettings['cost_preview']['layers'][number] | undefined;
  readonly busy: boolean;
  readonly onMode: (mode: LayerMode) => void;
  /** Called with the model chosen for a task in this project; null for the inherited one. */
  readonly onModel: (surface: ModelSurface['id'], model: string | null) => void;
}

/** States whose reason is shown instead of the mode's. */
const tells: readonly AnnotationStatus['layers'][number]['state'][] = ['ran', 'partial', 'planned'];
const modeWords = { in_run: 'In every run', on_demand: 'On demand', off: 'Off' } as const;

/** Tile of one annotation layer: mode, state with reason, models, cost and a button to run it. */
export function LayerTile({
  project_id,
  layer,
  status,
  models,
  cost,
  busy,
  onMode,
  onModel,
}: LayerTileProps) {
  return (
    <li className={`tile${layer.applicable && layer.servable ? '' : ' is-closed'}`}>
      <h3>
        {layer.title} <span className="tally">{status === undefined ? '' : spaced(status.state)}</span>
      </h3>
      <p className="advice">{layer.produces}</p>
      <fieldset className="modes">
        <legend className="visually-hidden">Mode for {layer.title}</legend>
        {layer.offered_modes.map((mode) => (
          <Action
            key={mode}
            needs="engineer"
            grouped
            pressed={mode === layer.mode}
            busy={busy}
            onAct={() => onMode(mode)}
          >
            {modeWords[mode]}
          </Action>
        ))}
      </fieldset>
      <p className="faint">{layer.mode_reason}</p>
      {layer.inapplicable_reason !== null && <p className="faint">{layer.inapplicable_reason}</p>}
      {status !== undefined && tells.includes(status.state) && <p className="faint">{status.reason}</p>}
      {models.map((surface) => (
        <LayerModel
          key={surface.id}
          surface={surface}
          busy={busy}
          onChoose={(model) => onModel(surface.id, model)}
        />
      ))}
      <div className="tile-foot">
        <span className="faint">
          {status === undefined
            ? ''
            : `${status.covered_episodes} of ${plural(status.applicable_episodes, 'episode')}${notProduced(status)}`}
          {cost === undefined ? '' : ` · ${usd(cost.usd_per_episode)} each`}
        </span>
        <RunLayer project_id={project_id} layer={layer.id} not={whyNot(layer, status)} />
      </div>
    </li>
  );
}

/** Says how many episodes the layer had nothing to say about; empty if there are none. */
const notProduced = ({ not_produced_episodes: episodes }: NonNullable<LayerTileProps['status']>): string =>
  episodes === 0 ? '' : `, ${episodes} not produced`;

/** Returns the reason why a job cannot be queued; null if it can. */
function whyNot(layer: LayerTileProps['layer'], status: LayerTileProps['status']): string | null {
  if (!layer.servable) return 'Not available in this version';
  if (!layer.applicable) return 'Not applicable';
  if (layer.mode === 'off') return 'Layer is off';
  if (status?.available === false) return status.unavailable_reason;
  if (status !== undefined && status.job_id !== null) return 'Already running';
  if (status !== undefined && status.covered_episodes >= status.applicable_episodes) return 'Done';
  return null;
}
