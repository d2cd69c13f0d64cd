import type { FormEvent } from 'react';
import { useAct } from '../../api/use-act.ts';
import { useList } from '../../api/use-answer.ts';
import { Complaint } from '../../components/failure.tsx';
import { useTargetScope } from './target-fields.tsx';

/** Form that subscribes an email address to events; addresses of the team are suggested. */
export function NewSubscription() {
  const create = useAct('create_email_subscription', ['list_email_subscriptions']);
  const users = useList('list_users', { limit: 100 });
  const { fields, value, not } = useTargetScope();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const input = new FormData(form);
    const text = (name: string) => String(input.get(name)).trim();
    create.mutate({ name: text('name'), email: text('email'), ...value }, { onSuccess: () => form.reset() });
  };
  return (
    <>
      <form className="form-row" onSubmit={submit}>
        <label>
          Subscription name
          <input name="name" required maxLength={200} />
        </label>
        <label className="grows">
          Email address
          <input name="email" type="email" required maxLength={254} list="team-addresses" />
          <datalist id="team-addresses">
            {users.items.map(({ id, email, name }) => (
              <option key={id} value={email}>
                {name}
              </option>
            ))}
          </datalist>
        </label>
        {fields}
        <button type="submit" className="button" disabled={create.isPending || not !== null}>
          Add subscription
        </button>
        {not !== null && <span className="action-why">{not}</span>}
      </form>
      {create.error !== null && <Complaint error={create.error} />}
    </>
  );
}
