import type { ModelSurface } from '#client';
import { installedText, number, spaced } from '../../components/words.ts';
import { useMay } from '../../shell/session.tsx';

interface LayerModelProps {
  readonly surface: ModelSurface;
  readonly busy: boolean;
  /** Null for the inherited model. */
  readonly onChoose: (model: string | null) => void;
}

type Option = ModelSurface['options'][number];

/**
 * Selection of the model for one task: the current one and where it was set, benchmark evidence, and rejected models.
 */
export function LayerModel({ surface, busy, onChoose }: LayerModelProps) {
  const { title, selectable, chosen, options, rejected } = surface;
  const may = useMay('engineer');
  const own = chosen.from === 'project' ? chosen.model : '';
  return (
    <div className="tile-model">
      <p>
        <code>{chosen.model}</code> <span className="faint">set by {spaced(chosen.from)}</span>
      </p>
      {chosen.passed_over !== null && (
        <p className="faint">
          <code>{chosen.passed_over}</code> was requested but is not available for this task.
        </p>
      )}
      <details>
        <summary>Models and benchmarks</summary>
        {selectable && options.length > 1 && (
          <label className="line">
            Model for {title.toLowerCase()}
            <select
              value={own}
              disabled={!may || busy}
              onChange={({ target }) => onChoose(target.value === '' ? null : target.value)}
            >
              <option value="">Use inherited model</option>
              {options.map((option) => (
                <option key={option.id} value={option.id}>
                  {option.title}
                </option>
              ))}
            </select>
            {!may && <span className="action-why">Requires the engineer role</span>}
          </label>
        )}
        <ul className="evidence-list">
          {options.map((option) => (
            <li key={option.id}>
              <b>{option.title}</b>{' '}
              <span className="faint">
                {option.licence} · {installedText[option.installed]}
              </span>
              {option.needs_consent !== null && (
                <p className="faint">Used only if selected: {option.needs_consent}</p>
              )}
              <Evidence {...option} />
            </li>
          ))}
          {rejected.map((model) => (
            <li key={model.id}>
              <b>{model.title}</b> <span className="faint">not offered: {model.reason}</span>
              <Evidence {...model} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

const units = { percent: ' %', ratio: '', px: ' px', mm: ' mm' } as const;

const sources = {
  own: 'reported by its authors',
  secondary: 'reported by others',
  measured: 'measured by Assay',
} as const;

function Evidence({ evidence, no_evidence }: Pick<Option, 'evidence' | 'no_evidence'>) {
  if (evidence.length === 0) return <p className="faint">No benchmark results: {no_evidence}</p>;
  return evidence.map(({ benchmark, metric, score, unit, source, note }) => (
    <p key={`${benchmark} ${metric}`} className="faint">
      {benchmark}, {metric}: {number(score)}
      {units[unit]} ({sources[source]}){note !== null && `; ${note}`}
    </p>
  ));
}
