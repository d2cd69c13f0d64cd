import type { AnnotationSettings } from '@assay/client';
import { Action } from '../../components/action.tsx';

type Preset = AnnotationSettings['presets'][number];

interface PresetsProps {
  readonly presets: readonly Preset[];
  readonly busy: boolean;
  readonly onChoose: (id: Preset['id']) => void;
}

/** The presets written for the use case, with what each does; one that cannot apply says why. The interface takes any of them. */
export function Presets({ presets, busy, onChoose }: PresetsProps) {
  return (
    <ul className="presets" aria-label="Presets">
      {presets
        .filter(({ offered }) => offered)
        .map(({ id, title, summary, disabled, reason }) => (
          <li key={id}>
            <Action
              needs="engineer"
              grouped
              busy={busy}
              not={disabled ? reason : null}
              onAct={() => onChoose(id)}
            >
              {title}
            </Action>
            <span className="faint">{summary}</span>
          </li>
        ))}
    </ul>
  );
}
