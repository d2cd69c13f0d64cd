import type { CurationStrategy } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { Prose } from '../../components/prose.tsx';
import { wrongAt } from '../../components/wrong-places.ts';
import { parametersOf } from './parameter.ts';
import { ParameterField } from './parameter-field.tsx';
import { moved, type Stage, withParameter } from './plan-address.ts';

interface StagesProps {
  readonly project_id: string;
  readonly strategies: readonly CurationStrategy[];
  readonly stages: readonly Stage[];
  /** Error of the service about this plan; null if there is none. */
  readonly error: unknown;
  readonly onChange: (stages: readonly Stage[]) => void;
}

/** Editor of a plan's stages; each stage works on the episodes that the previous one keeps. */
export function Stages({ project_id, strategies, stages, error, onChange }: StagesProps) {
  const flags = useAnswer('summarise_project', { project_id }).data?.flags.map(({ value }) => value) ?? [];
  const add = (strategy: string) => onChange([...stages, { strategy }]);
  return (
    <>
      <ol className="stages">
        {stages.map((stage, at) => (
          <StageForm
            // biome-ignore lint/suspicious/noArrayIndexKey: a stage is its place; its fields hold no state
            key={at}
            {...{ stage, at, flags, error }}
            of={stages.length}
            strategy={strategies.find(({ id }) => id === stage.strategy)}
            onMove={(by) => onChange(moved(stages, at, by))}
            onRemove={() => onChange(stages.toSpliced(at, 1))}
            onSet={(next) => onChange(stages.toSpliced(at, 1, next))}
          />
        ))}
      </ol>
      {stages.length === 0 && (
        <p className="empty">No stages yet. Add one, or start from a suggested plan.</p>
      )}
      <div className="form-row">
        <label>
          Add a stage
          <select value="" onChange={({ target }) => target.value !== '' && add(target.value)}>
            <option value="">Choose a strategy…</option>
            {strategies.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  );
}

interface StageFormProps {
  readonly stage: Stage;
  readonly at: number;
  readonly of: number;
  /** Undefined if the service does not know it. */
  readonly strategy: CurationStrategy | undefined;
  readonly flags: readonly string[];
  readonly error: unknown;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
  readonly onSet: (stage: Stage) => void;
}

function StageForm({ stage, at, of, strategy, flags, error, onMove, onRemove, onSet }: StageFormProps) {
  const title = strategy?.title ?? stage.strategy;
  const parameters = strategy === undefined ? [] : parametersOf(strategy);
  return (
    <li className="stage" aria-label={`Stage ${at + 1}: ${title}`}>
      <div className="stage-head">
        <h3>
          <span className="faint">{at + 1}</span> {title}
        </h3>
        <span className="stage-moves">
          <button type="button" className="quiet" disabled={at === 0} onClick={() => onMove(-1)}>
            Move up<span className="visually-hidden">: {title}</span>
          </button>
          <button type="button" className="quiet" disabled={at === of - 1} onClick={() => onMove(1)}>
            Move down<span className="visually-hidden">: {title}</span>
          </button>
          <button type="button" className="quiet" onClick={onRemove}>
            Remove<span className="visually-hidden">: {title}</span>
          </button>
        </span>
      </div>
      <p className="advice">
        <Prose
          text={strategy?.about ?? 'Unknown strategy. This version of the service does not support it.'}
        />
        {strategy?.source != null && <span className="faint"> {strategy.source}</span>}
      </p>
      {parameters.length > 0 && (
        <div className="parameters">
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={stage.parameters?.[parameter.name]}
              known={parameter.name === 'codes' ? flags : []}
              wrong={wrongAt(error, `/stages/${at}/parameters/${parameter.name}`)}
              onSet={(value) => onSet(withParameter(stage, parameter.name, value))}
            />
          ))}
        </div>
      )}
    </li>
  );
}
