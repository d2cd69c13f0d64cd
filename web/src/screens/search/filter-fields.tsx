import type { KeyboardEvent } from 'react';
import { count } from '../../components/words.ts';

interface FieldProps<Value> {
  readonly label: string;
  readonly value: Value | undefined;
  /** Called with undefined to clear the filter. */
  readonly onSet: (value: Value | undefined) => void;
}

interface ChoiceFieldProps extends FieldProps<string> {
  readonly options: readonly {
    readonly value: string;
    readonly says: string;
    readonly episodes?: number;
  }[];
}

/** Select field with the project's values; a value in the URL is kept even if the project no longer has it. */
export function ChoiceField({ label, value, options, onSet }: ChoiceFieldProps) {
  const known = value === undefined || options.some((each) => each.value === value);
  return (
    <label className="filter">
      {label}
      <select
        value={value ?? ''}
        className={value === undefined ? undefined : 'is-set'}
        onChange={({ target }) => onSet(target.value === '' ? undefined : target.value)}
      >
        <option value="">Any</option>
        {!known && <option value={value}>{value}</option>}
        {options.map(({ value: each, says, episodes }) => (
          <option key={each} value={each}>
            {says}
            {episodes === undefined ? '' : ` (${count(episodes)})`}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Text field; the value is applied on Enter and on blur. */
export function TextField({ label, value, most, onSet }: FieldProps<string> & { readonly most: number }) {
  return (
    <Field
      {...{ label, most, type: 'text' }}
      value={value ?? ''}
      onSet={(text) => onSet(text === '' ? undefined : text)}
    />
  );
}

/** Number field; the value is applied on Enter and on blur, and an empty or invalid text clears it. */
export function NumberField({
  label,
  value,
  most,
  onSet,
}: FieldProps<number> & { readonly most?: number | undefined }) {
  return (
    <Field
      {...{ label, most, type: 'number' }}
      value={value === undefined ? '' : String(value)}
      onSet={(text) => onSet(text === '' || Number.isNaN(Number(text)) ? undefined : Number(text))}
    />
  );
}

interface InputProps {
  readonly label: string;
  readonly type: 'text' | 'number';
  readonly most: number | undefined;
  readonly value: string;
  readonly onSet: (text: string) => void;
}

function Field({ label, type, most, value, onSet }: InputProps) {
  const take = (text: string) => {
    if (text.trim() !== value) onSet(text.trim());
  };
  const bounds = type === 'number' ? { min: 0, max: most, step: 'any' } : { maxLength: most };
  return (
    <label className="filter">
      {label}
      <input
        key={value}
        {...bounds}
        type={type}
        defaultValue={value}
        className={value === '' ? undefined : 'is-set'}
        autoComplete="off"
        onBlur={({ target }) => take(target.value)}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          if (event.key === 'Enter') take(event.currentTarget.value);
        }}
      />
    </label>
  );
}
