import { type FormEvent, useId, useState } from 'react';
import { AssayApiError, type Whoami } from '#client';
import { client } from '../api/client.ts';
import { Complaint } from '../components/failure.tsx';

interface SignInProps {
  /** Error of the sign-in link that the page was opened with. */
  readonly refused: unknown;
  readonly onSignedIn: (session: Whoami) => void;
}

/** Sign-in form for a token or a sign-in link; neither is stored in the page. */
export function SignIn({ refused, onSignedIn }: SignInProps) {
  const id = useId();
  const [error, setError] = useState<unknown>(refused);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = String(new FormData(form).get('token') ?? '');
    setBusy(true);
    try {
      const session = await client.tenant.createSession({ token: tokenIn(given) });
      form.reset();
      onSignedIn(session);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <p className="sign-in-brand">Assay</p>
      <h1>Sign in</h1>
      <p className="advice">
        Run <code>assay open</code> on the machine that runs the service to open this page signed in. Or paste
        a token or a sign-in link.
      </p>
      <form onSubmit={submit}>
        <label htmlFor={id}>Token or sign-in link</label>
        <input id={id} name="token" type="password" autoComplete="off" spellCheck={false} required />
        <button type="submit" className="button is-main" disabled={busy}>
          Sign in
        </button>
      </form>
      {error !== null && <Complaint error={refusalOf(error)} />}
    </main>
  );
}

/** Extracts the token from a text, which may be a sign-in link. */
const tokenIn = (given: string): string => /asy_[0-9A-Za-z]+/.exec(given)?.[0] ?? given.trim();

const refusalOf = (error: unknown): unknown =>
  error instanceof AssayApiError && error.code === 'invalid_request'
    ? new AssayApiError('not_found', 'invalid token: tokens start with asy_ and have 47 characters')
    : error;
