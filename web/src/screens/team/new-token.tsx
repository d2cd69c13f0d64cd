import type { FormEvent } from 'react';
import type { Role } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Complaint } from '../../components/failure.tsx';
import { RoleField } from './role-field.tsx';
import { ShownOnce } from './shown-once.tsx';

const day_s = 86_400;

/** Form that creates an API token. */
export function NewToken() {
  const create = useAct('create_token', ['list_tokens']);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const days = Number(fields.get('days'));
    create.mutate(
      {
        name: String(fields.get('name')).trim(),
        role: String(fields.get('role')) as Role,
        ...(days > 0 ? { expires_in_s: Math.round(days * day_s) } : {}),
      },
      { onSuccess: () => form.reset() },
    );
  };
  return (
    <>
      <form className="form-row" onSubmit={submit}>
        <label>
          Token name
          <input name="name" required maxLength={100} />
        </label>
        <RoleField />
        <label>
          Days until expiry (empty: never)
          <input name="days" type="number" min="1" max="3660" />
        </label>
        <button type="submit" className="button" disabled={create.isPending}>
          Create token
        </button>
      </form>
      {create.error !== null && <Complaint error={create.error} />}
      {create.data !== undefined && <ShownOnce what="New token" secret={create.data.token} />}
    </>
  );
}
