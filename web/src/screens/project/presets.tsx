import type { AnnotationSettings } from '@assay/client';
import { Action } from '../../components/action.tsx';

type Preset = AnnotationSettings['presets'][number];

interface PresetsProps {
  readonly presets: readonly Preset[];
  readonly busy: boolean;
  readonly onChoose: (id: Preset['id']) => void;
}

/** The presets written for the use case; one that cannot apply says why. The interface takes any of them. */
export function Presets({ presets, busy, onChoose }: PresetsProps) {
  return (
    <div className="presets">
      <span className="faint">Presets</span>
      {presets
        .filter(({ offered }) => offered)
        .map(({ id, title, summary, disabled, reason }) => (
          <span key={id} title={summary}>
            <Action needs="engineer" busy={busy} not={disabled ? reason : null} onAct={() => onChoose(id)}>
              {title}
            </Action>
          </span>
        ))}
    </div>
  );
}
