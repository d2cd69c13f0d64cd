import { requestOf } from '#client';
import { AssayError } from '#core';
import { type CreatedToken, createTokenSchema, roles, type Token } from '#core/api';
import {
  type Call,
  createTenant,
  createToken,
  defaultTenant,
  findTenant,
  listTokens,
  type NewToken,
  revokeToken,
} from '#service/operations';
import type { Store } from '#store';
import type { Io } from '../../io.ts';
import type { DataArguments, Launcher } from '../../launcher.ts';
import { createServiceClient } from '../../service-client.ts';
import { callInTenant, commandLine } from '../../tenant-call.ts';
import { columns } from '../../text.ts';
import { withStore } from '../../with-store.ts';

export interface TenantArguments extends DataArguments {
  readonly tenant: string;
  readonly json?: boolean;
}

export interface CreateArguments extends TenantArguments {
  readonly role: string;
  readonly name: string;
  /** Lifetime in seconds. Defaults to no expiry. */
  readonly expires?: number;
  readonly newTenant?: boolean;
}

/** Runs `assay token create`. Only the token goes to standard output, so that a script can capture it. */
export async function createTokenCommand(args: CreateArguments, io: Io, launcher: Launcher): Promise<number> {
  const input = readInput(args);
  const created = await createInStore(args, input, launcher).catch(async (thrown) => {
    const isHeld = thrown instanceof AssayError && thrown.code === 'folder_locked';
    const made = isHeld && args.newTenant === true ? await askService(args, input, launcher) : null;
    if (made === null) throw thrown;
    return made;
  });
  if (args.json === true) await io.out(`${JSON.stringify(created)}\n`);
  else {
    await io.out(`${created.token}\n`);
    io.note(inWords(created, args.tenant));
  }
  return 0;
}

/** Asks the service that holds the data folder to create the tenant with its token; `null` if no service answers. */
async function askService(
  args: CreateArguments,
  token: NewToken,
  launcher: Launcher,
): Promise<CreatedToken | null> {
  const service = await launcher.findService(args);
  if (service === null) return null;
  return (await createServiceClient(service).tenant.create({ name: args.tenant, token })).token;
}

function createInStore(args: CreateArguments, input: NewToken, launcher: Launcher): Promise<CreatedToken> {
  const instead = { request: requestOf('create_token', input), tenant: args.tenant };
  return withStore(launcher, args, instead, (store) =>
    store.database.transaction(async () => {
      if (args.newTenant === true) await makeTenant(store, args.tenant);
      return createToken(store, await callInTenant(store, args.tenant), input);
    }),
  );
}

/** Validates the request. Throws `usage` naming the invalid option. */
function readInput({ name, role, expires }: CreateArguments): NewToken {
  const tokenRequest = { name, role, ...(expires === undefined ? {} : { expires_in_s: expires }) };
  const parsed = createTokenSchema.safeParse(tokenRequest);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues;
  throw new AssayError('usage', `--${String(path[0])}: ${message}`, {
    advice: `roles are ${roles.join(', ')}; names have 1 to 200 characters`,
  });
}

/** Creates the tenant unless it exists. The default tenant is skipped: the first start of the service creates it. */
async function makeTenant(store: Store, name: string): Promise<void> {
  if (name === defaultTenant || (await findTenant(store, name)) !== null) return;
  await createTenant(store, { name, by: commandLine, now: new Date() });
}

function inWords({ id, role, expires_at }: CreatedToken, tenant: string): string {
  const until = expires_at === null ? 'no expiry' : `expires ${expires_at}`;
  return `assay: created ${id}: role ${role}, tenant ${tenant}, ${until}. Copy the token now; it is not shown again\n`;
}

/** Runs `assay token list`: all tokens and invitations of the tenant, newest first. */
export async function listTokensCommand(args: TenantArguments, io: Io, launcher: Launcher): Promise<number> {
  const instead = { request: requestOf('list_tokens', { limit: 500 }), tenant: args.tenant };
  const tokens = await withStore(launcher, args, instead, async (store) =>
    allTokens(store, await callInTenant(store, args.tenant)),
  );
  if (args.json === true) await io.out(`${JSON.stringify(tokens)}\n`);
  else await io.out(table(tokens, new Date().toISOString()));
  return 0;
}

async function allTokens(store: Store, call: Call): Promise<readonly Token[]> {
  const tokens: Token[] = [];
  let cursor: string | undefined;
  do {
    const page = await listTokens(store, call, { limit: 500, cursor });
    tokens.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return tokens;
}

function table(tokens: readonly Token[], now: string): string {
  const day = (time: string | null) => time?.slice(0, 10) ?? '–';
  const state = ({ revoked_at, expires_at, kind }: Token) => {
    if (revoked_at !== null) return 'revoked';
    if (expires_at !== null && expires_at <= now) return 'expired';
    return kind === 'invitation' ? 'invitation' : 'active';
  };
  const rows = tokens.map((token) => [
    token.id,
    token.role,
    state(token),
    day(token.created_at),
    day(token.last_used_at),
    day(token.expires_at),
    token.name,
  ]);
  return columns([['token', 'role', 'state', 'created', 'last used', 'expires', 'name'], ...rows]);
}

/** Runs `assay token revoke <id>`. */
export async function revokeTokenCommand(
  token_id: string,
  args: TenantArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const instead = { request: requestOf('revoke_token', { token_id }), tenant: args.tenant };
  await withStore(launcher, args, instead, async (store) =>
    revokeToken(store, await callInTenant(store, args.tenant), token_id),
  );
  io.note(`assay: revoked ${token_id}\n`);
  return 0;
}
