import type { ReactNode } from 'react';

export interface Option<Id extends string> {
  readonly id: Id;
  readonly title: string;
  readonly note?: ReactNode;
  /** Reason why the option is disabled; absent or null if it is enabled. */
  readonly not?: string | null;
}

interface ChoiceProps<Id extends string> {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly Option<Id>[];
  readonly value: Id | null;
  readonly onChoose: (id: Id) => void;
}

/** Radio buttons with a note per option; disabled options show the reason. */
export function Choice<Id extends string>({ legend, name, options, value, onChoose }: ChoiceProps<Id>) {
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      {options.map(({ id, title, note, not = null }) => (
        <label key={id} className={not === null ? 'option' : 'option is-closed'}>
          <input
            type="radio"
            name={name}
            value={id}
            checked={value === id}
            disabled={not !== null}
            onChange={() => onChoose(id)}
          />
          <span>
            <b>{title}</b> {(not ?? note) !== undefined && <span className="faint">{not ?? note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
