import { useId } from 'react';
import type { CertificationBounds, CertificationMetric } from '#client';
import { measureText, unitLabel } from '../../components/words.ts';
import { wrongAt } from '../../components/wrong-places.ts';
import type { Draft, DraftBounds } from './draft.ts';

/** Thresholds of a metric, with the observed values if known. */
export type PolicyMetric = CertificationBounds &
  Partial<Pick<CertificationMetric, 'title' | 'formula' | 'observed'>>;

interface BoundariesProps {
  readonly rows: readonly PolicyMetric[];
  readonly draft: Draft;
  /** Error of the last request with these values; null if there is none. */
  readonly error: unknown;
  readonly onSet: (metric: string, own: DraftBounds) => void;
}

/** Editable table of each metric's thresholds, with unit, direction and observed values. */
export function Boundaries({ rows, draft, error, onSet }: BoundariesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section className="scroller" tabIndex={0} aria-label="Metric thresholds">
      <table className="data boundaries">
        <caption className="visually-hidden">Metric thresholds</caption>
        <thead>
          <tr>
            {['Metric', 'Requirement', 'Ideal', 'Review', 'Allowed outliers', 'Min · median · max'].map(
              (title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <Row
              key={row.metric}
              row={row}
              own={draft.metrics[row.metric]}
              wrong={(name) => wrongAt(error, `/metrics/${at}/${name}`)}
              onSet={(own) => onSet(row.metric, own)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  readonly row: PolicyMetric;
  readonly own: DraftBounds;
  readonly wrong: (name: string) => readonly string[];
  readonly onSet: (own: DraftBounds) => void;
}

const needs = [
  ['required', 'required'],
  ['if_present', 'required if the episode has such data'],
  ['advisory', 'advisory'],
] as const;

function Row({ row, own, wrong, onSet }: RowProps) {
  const { metric, direction, unit, observed } = row;
  const { title = metric, formula = '' } = row;
  const sign = direction === 'lower_is_better' ? '≤' : '≥';
  const bound = (
    name: 'ideal' | 'review' | 'allowed_share',
    label: string,
    before: string,
    after: string,
  ) => (
    <Bound
      {...{ before, after, wrong: wrong(name), value: own[name], isMoved: isMoved(row, own, name) }}
      label={`${title}: ${label} (${after})`}
      onSet={(value) => onSet({ ...own, [name]: value })}
    />
  );
  return (
    <tr>
      <td>
        <details>
          <summary>{title}</summary>
          <p className="faint">
            <code>{metric}</code>, {direction === 'lower_is_better' ? 'lower' : 'higher'} is better
          </p>
          <p className="advice">{formula}</p>
        </details>
      </td>
      <td>
        <select
          aria-label={`${title}: requirement`}
          className={own.need === row.need ? undefined : 'is-moved'}
          value={own.need}
          onChange={({ target }) => onSet({ ...own, need: target.value as DraftBounds['need'] })}
        >
          {needs.map(([need, says]) => (
            <option key={need} value={need}>
              {says}
            </option>
          ))}
        </select>
      </td>
      <td>{bound('ideal', 'ideal threshold', sign, unitLabel(unit))}</td>
      <td>{bound('review', 'review threshold', sign, unitLabel(unit))}</td>
      <td>{bound('allowed_share', 'allowed outliers', '', '%')}</td>
      <td className="faint">
        {observed === null && 'no evidence'}
        {observed != null &&
          [observed.minimum, observed.median, observed.maximum]
            .map((value) => measureText(value, unit))
            .join(' · ')}
      </td>
    </tr>
  );
}

function isMoved(row: PolicyMetric, own: DraftBounds, name: 'ideal' | 'review' | 'allowed_share'): boolean {
  const value = Number(own[name]) / (name === 'allowed_share' ? 100 : 1);
  return own[name].trim() === '' || Math.abs(value - row[name]) > 1e-12;
}

interface BoundProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
  readonly value: string;
  readonly isMoved: boolean;
  readonly wrong: readonly string[];
  readonly onSet: (value: string) => void;
}

function Bound({ label, before, after, value, isMoved: moved, wrong, onSet }: BoundProps) {
  const id = useId();
  return (
    <span className="bound">
      <span className="with-unit">
        {before}{' '}
        <input
          aria-label={label}
          aria-invalid={wrong.length > 0}
          aria-describedby={wrong.length > 0 ? id : undefined}
          className={moved ? 'is-moved' : undefined}
          type="number"
          step="any"
          value={value}
          onChange={({ target }) => onSet(target.value)}
        />{' '}
        <span className="faint">{after}</span>
      </span>
      {wrong.length > 0 && (
        <span id={id} className="wrong" role="alert">
          {wrong.join('; ')}
        </span>
      )}
    </span>
  );
}
