import type { Kind, UseCase } from '#client';
import { kindTitle } from '../../components/words.ts';

const kinds: readonly Kind[] = [
  'teleop',
  'egocentric',
  'drive-log',
  'aerial-flight',
  'state-only',
  'vision-asset',
];

interface KindFieldProps {
  readonly useCase: UseCase;
  /** Empty to detect it from the recordings. */
  readonly value: Kind | '';
  readonly onChoose: (kind: Kind | '') => void;
}

/** Select field of the kind of recordings, which determines the checks: detected from the streams, or pinned. */
export function KindField({ useCase: { expected_kinds }, value, onChoose }: KindFieldProps) {
  return (
    <>
      <label className="line">
        Recording kind
        <select value={value} onChange={({ target }) => onChoose(target.value as Kind | '')}>
          <option value="">Detect automatically</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindTitle(kind)}
              {expected_kinds.includes(kind) ? ' (typical for this use case)' : ''}
            </option>
          ))}
        </select>
      </label>
      <p className="advice">
        The kind decides which checks and layers apply. The kind you choose overrides the detected one.
      </p>
    </>
  );
}
