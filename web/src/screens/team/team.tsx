import type { Token, User } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { time } from '../../components/words.ts';
import { useMay } from '../../shell/session.tsx';
import { InviteUser } from './invite-user.tsx';
import { NewToken } from './new-token.tsx';

/** Screen of users, roles and tokens. */
export function TeamScreen() {
  const may = useMay('admin');
  const users = useList('list_users', { limit: 100 }, { when: may });
  const tokens = useList('list_tokens', { limit: 100 }, { when: may });
  if (!may)
    return (
      <Page title="Team and tokens">
        <p className="empty">Only admins can see users and tokens.</p>
      </Page>
    );
  return (
    <Page title="Team and tokens">
      <Panel title="Users">
        <InviteUser />
        <Loaded of={users} what="users">
          {(items) => (
            <DataTable
              caption="Users"
              columns={userColumns}
              rows={items}
              keyOf={({ id }) => id}
              none="No users invited yet."
            />
          )}
        </Loaded>
        <More list={users} what="users" />
      </Panel>
      <Panel title="Tokens">
        <NewToken />
        <Loaded of={tokens} what="tokens">
          {(items) => (
            <DataTable
              caption="Tokens"
              columns={tokenColumns}
              rows={items}
              keyOf={({ id }) => id}
              none="No tokens yet."
            />
          )}
        </Loaded>
        <More list={tokens} what="tokens" />
      </Panel>
    </Page>
  );
}

const userColumns: readonly Column<User>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Email', wide: true, cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => role },
  {
    title: 'First sign-in',
    cell: ({ accepted_at }) => (accepted_at === null ? 'not yet' : time(accepted_at)),
  },
];

/** Returns the state of a token. */
function stateOf({ revoked_at, expires_at, kind }: Token): 'active' | 'used' | 'revoked' | 'expired' {
  if (revoked_at !== null) return kind === 'invitation' ? 'used' : 'revoked';
  return expires_at !== null && Date.parse(expires_at) < Date.now() ? 'expired' : 'active';
}

const tokenColumns: readonly Column<Token>[] = [
  { title: 'Name', wide: true, cell: ({ name }) => name },
  { title: 'Kind', cell: ({ kind }) => kind },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'State', cell: stateOf },
  { title: 'Last used', cell: ({ last_used_at }) => time(last_used_at) },
  { title: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'never' : time(expires_at)) },
  { title: 'Action', cell: (token) => <Revoke token={token} /> },
];

function Revoke({ token }: { readonly token: Token }) {
  const revoke = useAct('revoke_token', ['list_tokens']);
  if (stateOf(token) !== 'active') return null;
  return (
    <>
      <Action needs="admin" busy={revoke.isPending} onAct={() => revoke.mutate({ token_id: token.id })}>
        Revoke
      </Action>
      {revoke.error !== null && <Complaint error={revoke.error} />}
    </>
  );
}
