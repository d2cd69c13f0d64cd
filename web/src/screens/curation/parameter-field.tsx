import { useId } from 'react';
import type { JsonValue } from '#client';
import { codeTitle, number, spaced } from '../../components/words.ts';
import { toggled } from '../episodes/filter.ts';
import { type Parameter, parameterTitle, unitOf } from './parameter.ts';

interface ParameterFieldProps {
  readonly parameter: Parameter;
  /** Undefined for the default. */
  readonly value: JsonValue | undefined;
  /** Suggested values from the project, such as flag codes. */
  readonly known: readonly string[];
  /** Error messages of the service for this parameter. */
  readonly wrong: readonly string[];
  readonly onSet: (value: JsonValue | undefined) => void;
}

/** Form field of a stage's parameter, with unit, range, default and errors. */
export function ParameterField(props: ParameterFieldProps) {
  const id = useId();
  const { parameter, value } = props;
  const { name, says, least, most, input } = parameter;
  const isMissing = value === undefined && parameter.usual === undefined;
  const wrong = props.wrong.length > 0 && isMissing ? ['Required.'] : props.wrong;
  const range = least === undefined || most === undefined ? '' : ` (${number(least)} to ${number(most)})`;
  const many = input === 'choices' || (input === 'texts' && props.known.length > 0);
  const title = parameterTitle(name);
  const note = (
    <span id={id} className="parameter-note">
      {says}
      {range}
      {wrong.map((message) => (
        <span key={message} className="wrong">
          {' '}
          {message}
        </span>
      ))}
    </span>
  );
  if (many)
    return (
      <fieldset className="parameter" aria-describedby={id}>
        <legend>{title}</legend>
        <Checks {...props} />
        {note}
      </fieldset>
    );
  return (
    <div className="parameter">
      <label htmlFor={`${id}-field`}>{title}</label>
      <Entry {...props} id={id} />
      {note}
    </div>
  );
}

function Entry({ parameter, value, wrong, onSet, id }: ParameterFieldProps & { readonly id: string }) {
  const { name, input, options, least, most, usual } = parameter;
  const fieldProps = { id: `${id}-field`, 'aria-describedby': id, 'aria-invalid': wrong.length > 0 };
  if (input === 'choice')
    return (
      <select
        {...fieldProps}
        value={String(value ?? usual ?? '')}
        onChange={({ target }) => onSet(target.value)}
      >
        {options.map((each) => (
          <option key={each} value={each}>
            {spaced(each)}
          </option>
        ))}
      </select>
    );
  if (input === 'texts')
    return (
      <textarea
        {...fieldProps}
        rows={2}
        placeholder="One per line"
        value={Array.isArray(value) ? value.join('\n') : ''}
        onChange={({ target }) => onSet(target.value === '' ? undefined : target.value.split('\n'))}
      />
    );
  return (
    <span className="with-unit">
      <input
        {...fieldProps}
        type="number"
        step={input === 'integer' ? 1 : 'any'}
        min={least}
        max={most}
        placeholder={usual === undefined ? undefined : String(usual)}
        value={value === undefined ? '' : String(value)}
        onChange={({ target }) => onSet(target.value === '' ? undefined : Number(target.value))}
      />{' '}
      {unitOf(name)}
    </span>
  );
}

function Checks({ parameter: { name, input, options, usual }, value, known, onSet }: ParameterFieldProps) {
  const chosen = (value ?? usual ?? []) as readonly string[];
  // Values in the URL are kept even if the project no longer has them.
  const offered = input === 'choices' ? options : [...new Set([...known, ...chosen])];
  return (
    <span className="choices">
      {offered.map((each) => (
        <label key={each}>
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            onChange={() => onSet((toggled(chosen, each) as readonly JsonValue[] | undefined) ?? [])}
          />
          {name === 'codes' ? codeTitle(each) : spaced(each)}
        </label>
      ))}
    </span>
  );
}
