import type { AnnotationSettings, AnnotationStatus, LayerId, LayerMode, ModelSurface } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { RoleNote } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { plural, usd } from '../../components/words.ts';
import { LayerTile } from './layer-tile.tsx';
import { Presets } from './presets.tsx';

/** The annotation layers as tiles, each with its mode, state and models. */
export function Layers({ project_id }: { readonly project_id: string }) {
  const settings = useAnswer('get_annotation_settings', { project_id });
  const status = useAnswer('get_annotation_status', { project_id }, { every_ms: 5000 });
  const set = useAct('set_annotation_settings', ['get_annotation_settings', 'get_annotation_status']);
  return (
    <Loaded of={settings} what="the annotation layers">
      {(stored) => (
        <Panel title="Annotation layers" tally={costOf(stored)}>
          <RoleNote needs="engineer" />
          <Presets
            presets={stored.presets}
            busy={set.isPending}
            onChoose={(preset) => set.mutate({ project_id, preset, modes: {} })}
          />
          {set.error !== null && <Complaint error={set.error} />}
          <ul className="tiles">
            {stored.layers.map((layer) => (
              <LayerTile
                key={layer.id}
                project_id={project_id}
                layer={layer}
                status={statusOf(status.data, layer.id)}
                models={stored.models.filter(({ id }) => layer.surfaces.includes(id))}
                cost={stored.cost_preview.layers.find((each) => each.layer === layer.id)}
                busy={set.isPending}
                onMode={(mode: LayerMode) =>
                  set.mutate({ project_id, modes: { ...stored.project_modes, [layer.id]: mode } })
                }
                onModel={(surface, model) =>
                  set.mutate({ project_id, models: modelsWith(stored.project_models, surface, model) })
                }
              />
            ))}
          </ul>
        </Panel>
      )}
    </Loaded>
  );
}

/** Returns the project's model choices with one set, or removed if `model` is null. */
function modelsWith(
  before: AnnotationSettings['project_models'],
  surface: ModelSurface['id'],
  model: string | null,
): Readonly<Record<string, string>> {
  const { [surface]: _, ...others } = before;
  return model === null ? others : { ...others, [surface]: model };
}

const statusOf = (status: AnnotationStatus | undefined, id: LayerId) =>
  status?.layers.find(({ layer }) => layer === id);

function costOf({ cost_preview: { episodes, per_episode_usd, projected_usd } }: AnnotationSettings): string {
  return `cost per run: ${usd(per_episode_usd)} per episode, ${usd(projected_usd)} for ${plural(episodes, 'episode')}`;
}
