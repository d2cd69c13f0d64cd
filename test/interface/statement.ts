import assert from 'node:assert/strict';
import { AssayApiError } from '#client';
import type { World } from './world.ts';

/** One statement of the service interface that can be observed over HTTP. */
export interface Statement {
  /** Section of the interface, such as `3.2`. */
  readonly section: string;
  readonly text: string;
  /** Throws if the statement does not hold; returns a note if the service gives no occasion to observe all of it. */
  readonly check: (world: World) => Promise<string | undefined>;
}

/** Defines the statements of one section; each check resolves if the statement holds, with a note if it is a string. */
export const inSection = (
  section: string,
  checks: Readonly<Record<string, (world: World) => Promise<unknown>>>,
): Statement[] =>
  Object.entries(checks).map(([text, check]) => ({
    section,
    text,
    check: async (world) => {
      const note = await check(world);
      return typeof note === 'string' ? note : undefined;
    },
  }));

/** Returns the error of a call that must be refused with this HTTP status. */
export async function refused(call: Promise<unknown>, status: number): Promise<AssayApiError> {
  const error: unknown = await call.then(
    () => null,
    (thrown) => thrown,
  );
  assert.ok(error !== null, `the call was accepted, and not refused with ${status}`);
  if (!(error instanceof AssayApiError)) throw error;
  assert.equal(error.status, status, error.message);
  return error;
}

/** Asserts that two lists have the same members in any order. */
export const sameMembers = (found: readonly string[], expected: readonly string[]): void =>
  assert.deepEqual(found.toSorted(), expected.toSorted());

/** Asserts that numbers are equal but for rounding. */
export const close = (found: number, expected: number, message?: string): void =>
  assert.ok(
    Math.abs(found - expected) <= 1e-6 + 1e-3 * Math.abs(expected),
    message ?? `${found} is not ${expected}`,
  );

/** The input of operations that take a project and nothing else. */
export const projectOnly = ({ project_id }: { readonly project_id: string }) => ({ project_id });
