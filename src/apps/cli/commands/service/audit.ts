import { requestOf } from '#client';
import { AssayError } from '#core';
import { type AuditHead, type AuditVerification, auditHeadTextSchema, readAuditHead } from '#core/api';
import { defaultTenant, listTenants, systemCall, verifyAudit } from '#service/operations';
import type { Store } from '#store';
import type { Io } from '../../io.ts';
import type { DataArguments, Launcher } from '../../launcher.ts';
import { callInTenant, commandLine } from '../../tenant-call.ts';
import { count } from '../../text.ts';
import { withStore } from '../../with-store.ts';

export interface VerifyAuditArguments extends DataArguments {
  /** Tenant to verify. Defaults to every tenant. */
  readonly tenant?: string;
  /** Log head of this tenant as an earlier check printed it (`SEQUENCE:DIGEST`); requires `tenant`. */
  readonly head?: string;
  readonly json?: boolean;
}

type Verified = AuditVerification & { readonly tenant: string };

/** Runs `assay audit verify`. Returns exit code 1 if any audit log was altered, else 0. */
export async function verifyAuditCommand(
  args: VerifyAuditArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const noted = headOf(args);
  const head = noted === null ? undefined : headText(noted);
  const instead = { request: requestOf('verify_audit', { head }), tenant: args.tenant ?? defaultTenant };
  const verified = await withStore(launcher, args, instead, (store) => verifyAll(store, args.tenant, noted));
  if (args.json === true) await io.out(`${JSON.stringify({ tenants: verified })}\n`);
  else await io.out(verified.map(inWords).join('') || 'No tenants yet\n');
  return verified.every(({ intact }) => intact) ? 0 : 1;
}

/** Parses `--head`; `null` if it is absent. Throws `usage` if no tenant is named or the text is malformed. */
function headOf({ head, tenant }: VerifyAuditArguments): AuditHead | null {
  if (head === undefined) return null;
  if (tenant === undefined) {
    throw new AssayError('usage', '--head requires --tenant: each tenant has its own log', {
      advice: 'add --tenant NAME',
    });
  }
  if (auditHeadTextSchema.safeParse(head).success) return readAuditHead(head);
  throw new AssayError(
    'usage',
    `invalid --head ${head}: expected a number, a colon and 64 hexadecimal digits`,
  );
}

async function verifyAll(
  store: Store,
  tenant: string | undefined,
  noted: AuditHead | null,
): Promise<readonly Verified[]> {
  if (tenant !== undefined) {
    const call = await callInTenant(store, tenant);
    return [{ tenant, ...(await verifyAudit(store, call, { noted })) }];
  }
  const verified: Verified[] = [];
  for (const { id, name } of await listTenants(store)) {
    const call = systemCall(id, commandLine, new Date());
    verified.push({ tenant: name, ...(await verifyAudit(store, call)) });
  }
  return verified;
}

const headText = ({ sequence, digest }: AuditHead): string => `${sequence}:${digest}`;

function inWords({ tenant, fault, rows, head }: Verified): string {
  if (fault !== null) {
    return `✗ ${tenant}: ${fault.message}\n    ${count(rows, 'row')} before it ${rows === 1 ? 'is' : 'are'} intact\n`;
  }
  return `✓ ${tenant}: ${count(rows, 'row')}, intact\n    head ${head === null ? '–' : headText(head)}\n`;
}
