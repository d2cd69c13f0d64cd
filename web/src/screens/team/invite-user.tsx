import type { FormEvent } from 'react';
import type { Role } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Complaint } from '../../components/failure.tsx';
import { RoleField } from './role-field.tsx';
import { ShownOnce } from './shown-once.tsx';

/** Form that invites a user and shows a one-time sign-in link. */
export function InviteUser() {
  const create = useAct('create_user', ['list_users', 'list_tokens']);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const text = (name: string) => String(fields.get(name)).trim();
    create.mutate(
      { email: text('email'), name: text('name'), role: text('role') as Role },
      { onSuccess: () => form.reset() },
    );
  };
  return (
    <>
      <form className="form-row" onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={100} />
        </label>
        <label>
          Email address
          <input name="email" type="email" required />
        </label>
        <RoleField />
        <button type="submit" className="button" disabled={create.isPending}>
          Invite
        </button>
      </form>
      {create.error !== null && <Complaint error={create.error} />}
      {create.data !== undefined && (
        <ShownOnce
          what={`Invitation link for ${create.data.user.name}, valid once within 7 days`}
          secret={`${location.origin}/#sign-in=${create.data.invitation.token}`}
        />
      )}
    </>
  );
}
