import type { FormEvent } from 'react';
import { useAct } from '../../api/use-act.ts';
import { Complaint } from '../../components/failure.tsx';
import { ShownOnce } from '../team/shown-once.tsx';
import { useTargetScope } from './target-fields.tsx';

/** Form that creates a webhook and shows its secret once. */
export function NewWebhook() {
  const create = useAct('create_webhook', ['list_webhooks']);
  const { fields, value, not } = useTargetScope();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const input = new FormData(form);
    const text = (name: string) => String(input.get(name)).trim();
    create.mutate({ name: text('name'), url: text('url'), ...value }, { onSuccess: () => form.reset() });
  };
  return (
    <>
      <form className="form-row" onSubmit={submit}>
        <label>
          Webhook name
          <input name="name" required maxLength={200} />
        </label>
        <label className="grows">
          Address
          <input name="url" type="url" required maxLength={2000} placeholder="https://" />
        </label>
        {fields}
        <button type="submit" className="button" disabled={create.isPending || not !== null}>
          Add webhook
        </button>
        {not !== null && <span className="action-why">{not}</span>}
      </form>
      {create.error !== null && <Complaint error={create.error} />}
      {create.data !== undefined && (
        <ShownOnce what={`Secret of ${create.data.name}`} secret={create.data.secret} />
      )}
    </>
  );
}
